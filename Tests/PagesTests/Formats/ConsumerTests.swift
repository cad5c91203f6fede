import Foundation
import Testing

@testable import Formats
@testable import Markup
@testable import Measurements

/// Reads the formats with the programs for which they are written.
@Suite(.serialized) struct ConsumerTests {
  @Test(.enabled(if: Consumer.has("promtool"), "promtool is not installed"), arguments: FormatFixture.allCases)
  func promtoolFindsNothingToSay(_ fixture: FormatFixture) async throws {
    let end = try await Consumer.run(
      "promtool check metrics", ["in": try ReportFormat.openmetrics.render(fixture.document)])
    #expect(end.status == 0 && end.output.isEmpty, "\(end.output)")
  }

  @Test(
    .enabled(if: Consumer.has("prometheus-node-exporter"), "prometheus-node-exporter is not installed"),
    arguments: [FormatFixture.troubled, .hostile, .infinite]) func theNodeExporterServesEverySample(
      _ fixture: FormatFixture
    ) async throws
  {
    let text = try ReportFormat.openmetrics.render(fixture.document)
    let end = try await Consumer.run(
      """
      mkdir files && cp in files/springbench.prom
      prometheus-node-exporter --collector.disable-defaults --collector.textfile \\
        --collector.textfile.directory=files --web.listen-address=127.0.0.1:0 2>log &
      trap "kill $!" EXIT
      for _ in $(seq 600); do
        port=$(sed -n 's/.*address=127.0.0.1:\\([0-9]*\\).*/\\1/p' log | head -n 1)
        [ -n "$port" ] && break
        sleep 0.1
      done
      exec 3<>"/dev/tcp/127.0.0.1/$port"
      printf 'GET /metrics HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3
      cat <&3
      """, ["in": text])
    let lines = end.output.split(separator: "\n")
    #expect(lines.contains("node_textfile_scrape_error 0"), "\(end.output.suffix(2_000))")
    let samples = text.split(separator: "\n").filter { $0.hasPrefix("springbench_") }
    #expect(lines.filter { $0.hasPrefix("springbench_") }.count == samples.count)
  }

  @Test(arguments: ["pandas", "polars"], [FormatFixture.twoStrategies, .troubled, .oneStrategy, .hostile])
  func aTableHasOneTypeInEachColumn(_ library: String, _ fixture: FormatFixture) async throws {
    guard try await Consumer.hasPython(library) else {
      print("\(library) is not installed; \(fixture) was not read by it")
      return
    }
    let files = [
      "rows.csv": try ReportFormat.csv.render(fixture.document),
      "rows.json": try ReportFormat.json.render(fixture.document),
    ]
    let program = """
      import \(library)
      for t in [\(library).read_csv("rows.csv"), \(library).read_json("rows.json")]:
        numbers = [v for v in t["value"] if v is not None and v == v]
        texts = [v for v in t["text"] if v is not None and v == v and v != ""]
        print(str(t["value"].dtype).lower(), sum(type(v) is float for v in numbers), len(texts), len(t))
      """
    let end = try await Consumer.run("$PYTHON program.py", files.merging(["program.py": program]) { $1 })
    let values = FlatRows(fixture.document).rows.map(\.value)
    let numbers = values.compactMap(\.number).filter(\.isFinite).count
    let line = "float64 \(numbers) \(values.compactMap(\.text).count) \(values.count)\n"
    #expect(end.output == line + line)
  }
}

/// Runs other tools, each in a folder of its own.
private enum Consumer {
  static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  static func hasPython(_ library: String) async throws -> Bool {
    try await run("$PYTHON -c 'import \(library)'", [:]).status == 0
  }

  /// - Parameter files: The contents of files by name. If one is called `in`, it is the script's stdin.
  static func run(_ script: String, _ files: [String: String]) async throws -> (status: Int32, output: String) {
    let folder = NSTemporaryDirectory() + "springbench-consumer-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    let python = ProcessInfo.processInfo.environment["SPRINGBENCH_PYTHON"] ?? "python3"
    let input = files["in"] == nil ? "/dev/null" : "in"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["timeout", "300", "bash", "-c", "PYTHON='\(python)'; exec <\(input) >out 2>&1\n\(script)"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    let output = try String(contentsOf: URL(fileURLWithPath: "\(folder)/out"), encoding: .utf8)
    return (process.terminationStatus, output)
  }
}
