import FrameBench
import UIKitScenarios

// A separate program, because UIKit needs Foundation, which every run of the other benchmarks would load.
await Suite.uikit.main()
