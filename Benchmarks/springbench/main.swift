import FrameBench
import Scenarios
import SpringBenchCLI

await SpringBench.main(.standard)
