import FrameBench
import SpringBenchCLI

await SpringBench.main(FixtureSuite.suite)
