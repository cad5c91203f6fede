import FrameBench
import SpringBenchCLI

var suite = Suite("packages")
suite.addCollections()
suite.addByteBuffers()
suite.addYAML()
suite.addArguments()
suite.addDatabases()
await SpringBench.main(suite)
