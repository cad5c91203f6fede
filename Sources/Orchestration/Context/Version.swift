/// Of springbench, as it calls itself in files and by `--version`.
package let springBenchVersion = "0.1.0"
