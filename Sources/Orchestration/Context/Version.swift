/// Of springbench, as in files and `--version`.
package let springBenchVersion = "0.1.0"
