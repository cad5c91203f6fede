import FrameBench
import UIKitScenarios

// A program of its own, because UIKit needs Foundation, which would be loaded in every run of the others.
await Suite.uikit.main()
