import Foundation

/// Tests the readers of files, one after another, until the time is up. Each reader runs in a child process.
struct FuzzRun {
  private var seconds = 60.0
  private var seed = UInt64(Date().timeIntervalSince1970)
  private var readers = FileReader.allCases
  /// The folder for files that crash a reader.
  private var folder = ".build/fuzz"

  /// The number of files per child process. It is small, so that all readers take turns many times.
  private static let batch = 2_000

  private struct Usage: Error, CustomStringConvertible { var description: String }

  private struct Count {
    var read = 0
    var refused = 0
    var ended = 0
  }

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Usage(description: "\(name): there is no value") }
      switch name {
      case "--seconds": seconds = try Self.number(name, value)
      case "--seed": seed = try Self.number(name, value)
      case "--output": folder = value
      case "--reader":
        guard let reader = FileReader(rawValue: value) else {
          let names = FileReader.allCases.map(\.rawValue).joined(separator: ", ")
          throw Usage(description: "--reader: \"\(value)\" is none of \(names)")
        }
        readers = [reader]
      default: throw Usage(description: "unknown option \(name); there are --seconds, --seed, --reader, --output")
      }
    }
  }

  private static func number<Number: LosslessStringConvertible>(_ name: String, _ value: String) throws -> Number {
    guard let number = Number(value) else { throw Usage(description: "\(name): \"\(value)\" is not a number") }
    return number
  }

  /// - Returns: 0 if every reader read or refused every file, otherwise 1.
  func run() throws -> Int32 {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    print("seed \(seed)")
    let end = Date().addingTimeInterval(seconds)
    var counts: [FileReader: Count] = [:]
    var turn: UInt64 = 0
    repeat {
      for reader in readers {
        let input = "\(folder)/\(reader.rawValue)-\(seed)-\(turn)"
        let (output, status) = try child(reader, seed: seed &+ turn, input: input)
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        if status == nil, numbers.count == 2 {
          counts[reader, default: Count()].read += numbers[0]
          counts[reader, default: Count()].refused += numbers[1]
        } else {
          counts[reader, default: Count()].ended += 1
          print("\(reader.rawValue): \(status ?? "no counts"); the file is \(input)")
        }
      }
      turn += 1
    } while Date() < end
    for reader in readers {
      let count = counts[reader] ?? Count()
      let name = reader.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
      print("\(name) \(count.read) read, \(count.refused) refused, \(count.ended) ended the reader")
    }
    return counts.values.contains { $0.ended > 0 } ? 1 : 0
  }

  /// - Returns: The child's output, and the reason why the child ended early. The reason is nil if the child finished.
  private func child(_ reader: FileReader, seed: UInt64, input: String) throws -> (String, String?) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["child", reader.rawValue, "\(seed)", "\(Self.batch)", input]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let code = process.terminationStatus
    switch process.terminationReason {
    case .exit: return (output, code == 0 ? nil : "ended with \(code)")
    default:
      return (output, code == SIGALRM ? "took longer than \(FuzzChild.secondsLimit) s" : "crashed with signal \(code)")
    }
  }
}
