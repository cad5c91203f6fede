import FrameBench

await FixtureSuite.suite.main()
