import FrameBench
import UIKitScenarios

// These benchmarks are not in `spring-benchmarks`, because UIKit needs Foundation. Every run of the other benchmarks
// would then load Foundation, too.
await Suite.uikit.main()
