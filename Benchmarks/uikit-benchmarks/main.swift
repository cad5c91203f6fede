import FrameBench
import UIKitScenarios

// A program of its own, because UIKit needs Foundation. In a common program, every run would load Foundation.
await Suite.uikit.main()
