import Foundation
import Testing

/// Chromium in headless mode, if it is installed.
struct Browser {
  /// The result of opening a page.
  struct Visit {
    /// The page after its scripts have run.
    var html: String
    /// The lines that the page wrote to the console.
    var consoleLines: [String]
    /// The initiators of the page's network requests, as logged by Chromium. Requests of the browser itself are left
    /// out.
    var requesters: [String]
  }

  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let candidates =
      [environment["CHROMIUM"]].compactMap { $0 } + folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
    return candidates.first(where: FileManager.default.isExecutableFile(atPath:))
  }()

  /// - Parameter name: The name of the file that is opened. Its extension determines its type.
  static func open(_ html: String, as name: String = "page.html", width: Int = 1_440, isDark: Bool = false) async throws
    -> Visit
  {
    let path = try #require(path)
    let folder = NSTemporaryDirectory() + "springbench-browser-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func file(_ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }
    try html.write(to: file(name), atomically: true, encoding: .utf8)
    for name in ["out", "err"] { try Data().write(to: file(name)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "timeout", "300", path, "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0",
        "--user-data-dir=\(folder)/profile", "--log-net-log=\(folder)/net.json", "--window-size=\(width),900",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--dump-dom", "--virtual-time-budget=5000",
      ] + (geteuid() == 0 ? ["--no-sandbox"] : []) + [file(name).absoluteString]
    process.standardOutput = try FileHandle(forWritingTo: file("out"))
    process.standardError = try FileHandle(forWritingTo: file("err"))
    try await end(of: process)
    try #require(process.terminationStatus == 0, "\(path) ended with \(process.terminationStatus)")
    let errors = try String(contentsOf: file("err"), encoding: .utf8).split(separator: "\n")
    let log = try String(contentsOf: file("net.json"), encoding: .utf8)
    let requesters = log.components(separatedBy: "\"initiator\":\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
    return Visit(
      html: try String(contentsOf: file("out"), encoding: .utf8),
      consoleLines: errors.filter { $0.contains("CONSOLE") }.map(String.init),
      requesters: requesters.filter { $0 != "not an origin" })
  }

  /// Waits for the end of a process without blocking a thread.
  private static func end(of process: Process) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
  }

  /// Runs a script in a page and returns the script's result, decoded from JSON. The page is in an iframe of this
  /// width, because a window cannot be as narrow as a phone.
  static func evaluate(_ script: String, in html: String, width: Int, isDark: Bool = false) async throws -> [String:
    Any]
  {
    // The page's security policy is disabled, because it would allow only the page's own script.
    let open = html.replacingOccurrences(
      of: "<meta http-equiv=\"Content-Security-Policy\"", with: "<meta name=\"no-policy\"")
    let probe = """
      <script>addEventListener("load", () => {
        let findings;
        try { findings = (() => {\(script)})() } catch (error) { findings = { error: String(error) } }
        parent.postMessage(JSON.stringify(findings), "*");
      })</script></body>
      """
    let page = open.replacingOccurrences(of: "</body>", with: probe)
    let source = page.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
    let frame = """
      <!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
      <body style="margin:0"><pre></pre>
      <script>onmessage = event => document.querySelector("pre").textContent = event.data</script>
      <iframe style="border:0;width:\(width)px;height:2000px" srcdoc="\(source)"></iframe>
      """
    let visit = try await Browser.open(frame, width: max(width, 800), isDark: isDark)
    let found = try #require(visit.html.firstMatch(of: #/<pre>([^<]*)<\/pre>/#)).1
    let text = found.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(visit.consoleLines)")
  }
}
