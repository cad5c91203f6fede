import Program

await SpringBench.main()
