import FrameBench
import Scenarios

await Suite.standard.main()
