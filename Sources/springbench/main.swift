import SpringBenchCLI

await SpringBench.main()
