import Work

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// verdicts-plain KERNEL CALLS           makes this many calls, as a command that is timed from outside
// verdicts-plain KERNEL CALLS VALUES    times that many calls, VALUES times; prints nanoseconds a call each time

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
guard let kernel = arguments.first.flatMap(Kernel.init), (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > 0 })
else {
  print("usage: verdicts-plain \(Kernel.allCases.map(\.rawValue).joined(separator: "|")) CALLS [VALUES]")
  exit(64)
}
let work = kernel.makeWork()
if numbers.count == 1 {
  for _ in 0..<numbers[0] { work.call() }
} else {
  let clock = ContinuousClock()
  for _ in 0..<numbers[1] {
    let start = clock.now
    for _ in 0..<numbers[0] { work.call() }
    print((clock.now - start) / .nanoseconds(1) / Double(numbers[0]))
  }
}
