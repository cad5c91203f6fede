import Foundation
import Testing

@testable import Builds
@testable import Platform
@testable import Program

/// The time after which a program is killed. It is long enough for every test, even on a busy machine.
let hangLimit = Duration.seconds(600)

/// The checkout that contains these tests.
let repositoryRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Runs springbench on the benchmarks of `Tests/SuiteFixture`.
struct FixtureProcess {
  var status: Int32?
  var output: String
  var error: String

  var errorLines: [Substring] { error.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

  static var path: String { get throws { try path(of: "SuiteFixture") } }

  static var springbench: String { get throws { try path(of: "springbench") } }

  /// Returns the environment that makes springbench measure a program that is already built.
  static func measuring(_ program: String = "SuiteFixture") throws -> [String: String] {
    ["SPRINGBENCH_PROGRAM": try path(of: program)]
  }

  /// Returns the path of a built program, which is next to the test bundle.
  static func path(of program: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let candidates = [own] + CommandLine.arguments.filter { $0.contains(".xctest") } + [Bundle.main.bundlePath]
    let folders = candidates.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let paths = folders.map { "\($0)/\(program)" }
    return try #require(paths.first { FileManager.default.isExecutableFile(atPath: $0) }, "no \(program) in \(folders)")
  }

  /// Writes a copy of the program `SuiteFixture` that behaves like the `FixtureBuild` of this name.
  /// - Returns: The path of the build.
  static func rebuilt(_ name: String, in folder: TemporaryFolder) throws -> String {
    let target = "\(folder.path)/\(name)"
    let plain = Data("fixture-build:plain.....".utf8)
    var other = Data("fixture-build:\(name)".utf8)
    other += Data(repeating: UInt8(ascii: "."), count: plain.count - other.count)
    var file = try Data(contentsOf: URL(fileURLWithPath: try path))
    var start = try #require(file.range(of: plain), "the program does not say which build it is")
    file.replaceSubrange(start, with: other)
    while let next = file.range(of: plain, in: start.upperBound..<file.endIndex) {
      file.replaceSubrange(next, with: other)
      start = next
    }
    // A child writes the program. If this process did, a child that another test starts meanwhile would inherit the open
    // file, and Linux does not execute a program that is open for writing.
    let data = "\(target).data"
    try file.write(to: URL(fileURLWithPath: data))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data)
    let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [data, target])
    copy.waitUntilExit()
    try FileManager.default.removeItem(atPath: data)
    return target
  }

  /// - Parameters:
  ///   - program: The benchmark program. It runs without springbench if the first argument is a command of a worker.
  ///   - folder: The working directory. If nil, it is the working directory of the tests.
  @discardableResult static func run(
    _ arguments: [String], of program: String = "SuiteFixture", input: String = "", environment: [String: String] = [:],
    in folder: String? = nil
  ) async throws -> FixtureProcess {
    let isOfWorkers = ["worker", "describe", "preflight"].contains(arguments.first)
    let path = try isOfWorkers ? path(of: program) : springbench
    let fixtures = environment.keys.filter { $0.hasPrefix("FIXTURE_") }.joined(separator: ",")
    let environment = try measuring(program).merging([InheritedEnvironment.passVariable: fixtures]) { $1 }.merging(
      environment
    ) { $1 }
    let process = ChildProcess(
      executable: folder == nil ? path : "env", arguments: (folder.map { ["-C", $0, path] } ?? []) + arguments,
      environment: environment, timeout: hangLimit)
    let end = try await process.run(input: Data(input.utf8))
    var status: Int32?
    if case .exited(let code) = end.status { status = code }
    return FixtureProcess(status: status, output: String(decoding: end.output, as: UTF8.self), error: end.errorTail)
  }
}

/// A folder that exists for one test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "springbench-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The relative paths of all files and folders inside, including hidden ones.
  var contents: [String] { (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted() }
}
