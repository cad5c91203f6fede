import Foundation

/// Compilers of a build whose `swift build`, or whose springbench, was killed: nothing stops them, and
/// they would write into the next build.
struct Stragglers {
  /// They work in it, or on files in it.
  var folder: String

  private static let tools = ["swift", "clang", "ld", "lld", "gold", "ar", "llvm-ar", "git"]

  /// Returns when they are gone, or after two seconds. Knows only systems with `/proc`.
  func kill() {
    for _ in 1...100 {
      let processes = find()
      if processes.isEmpty { return }
      for process in processes { Foundation.kill(process, SIGKILL) }
      usleep(20_000)
    }
  }

  private func find() -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { $0 != getpid() && isStraggler($0) }
  }

  private func isStraggler(_ process: pid_t) -> Bool {
    // Empty for one that has ended and waits to be collected.
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"), !data.isEmpty else {
      return false
    }
    let arguments = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    // The second name: a tool that is a script.
    guard arguments.prefix(2).contains(where: Self.isTool) else { return false }
    if arguments.contains(where: { $0.contains(folder + "/") }) { return true }
    let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
    return place?.hasPrefix(folder + "/") ?? false
  }

  private static func isTool(_ argument: String) -> Bool {
    let name = (argument as NSString).lastPathComponent
    return tools.contains { name == $0 || name.hasPrefix("\($0)-") || name.hasPrefix("\($0).") }
      || name == "swiftc" || name == "clang++"
  }
}
