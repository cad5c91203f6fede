import CBareLoop
import CPeerMachine
import Foundation

/// Where and by what was measured. What could not be found out is nil.
struct Machine: Equatable {
  var processor: String?
  var coreCount: Int
  /// The core that the measuring thread is bound to.
  var core: Int?
  var system: String?
  var kernel: String?
  /// What the bare loop's vectors are.
  var vectors: String
  var compiler: String
  var box2DVersion: String
  var chipmunkVersion: String
  /// Of this repository, with a mark if something is not committed.
  var commit: String?
  var isDebugBuild: Bool

  static func current(core: Int?) -> Machine {
    Machine(
      processor: value(of: "model name", in: "/proc/cpuinfo", separator: ":"),
      coreCount: ProcessInfo.processInfo.activeProcessorCount, core: core,
      system: value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "="),
      kernel: text("/proc/sys/kernel/osrelease").map { "Linux \($0)" },
      vectors: String(cString: bare_vectors()), compiler: String(cString: machine_c_compiler()),
      box2DVersion: Box2DPeer.version, chipmunkVersion: ChipmunkPeer.version, commit: describedCommit(),
      isDebugBuild: isDebugBuild)
  }

  private static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  private static func text(_ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func value(of key: String, in path: String, separator: Character) -> String? {
    for line in (text(path) ?? "").split(separator: "\n") {
      let parts = line.split(separator: separator, maxSplits: 1)
      if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == key {
        return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
      }
    }
    return nil
  }

  private static func describedCommit() -> String? {
    let git = Process()
    git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    git.arguments = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    let output = Pipe()
    (git.standardOutput, git.standardError) = (output, FileHandle.nullDevice)
    guard (try? git.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    let name = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return git.terminationStatus == 0 && !name.isEmpty ? name : nil
  }
}
