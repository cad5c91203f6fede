/// Of springbench, as in files and `--version`.
let springBenchVersion = "0.1.0"
