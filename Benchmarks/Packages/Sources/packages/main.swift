import FrameBench

var suite = Suite("packages")
suite.addCollections()
suite.addByteBuffers()
suite.addYAML()
suite.addArguments()
suite.addDatabases()
await suite.main()
