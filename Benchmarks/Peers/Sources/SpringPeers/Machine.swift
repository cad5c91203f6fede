import CBareLoop
import CPeerMachine
import Foundation

/// The machine and the software with which the figures were measured. Unknown values are nil.
struct Machine: Equatable {
  var processor: String?
  var coreCount: Int
  /// The core to which the measuring thread is bound.
  var core: Int?
  var system: String?
  var kernel: String?
  /// The vector extension that the bare loop uses.
  var vectors: String
  var compiler: String
  var box2DVersion: String
  var chipmunkVersion: String
  /// The version of the installed system package.
  var box2DPackage: String?
  var chipmunkPackage: String?
  /// The commit of this repository, marked if there are uncommitted changes.
  var commit: String?
  var isDebugBuild: Bool

  static func current(core: Int?) -> Machine {
    Machine(
      processor: value(of: "model name", in: "/proc/cpuinfo", separator: ":"),
      coreCount: ProcessInfo.processInfo.activeProcessorCount, core: core,
      system: value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "="),
      kernel: text("/proc/sys/kernel/osrelease").map { "Linux \($0)" }, vectors: String(cString: bare_vectors()),
      compiler: String(cString: machine_c_compiler()), box2DVersion: Box2DPeer.version,
      chipmunkVersion: ChipmunkPeer.version, box2DPackage: package("libbox2d-dev"),
      chipmunkPackage: package("libchipmunk-dev"),
      commit: output(of: ["git", "describe", "--always", "--dirty", "--exclude=*"]), isDebugBuild: isDebugBuild)
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

  private static func package(_ name: String) -> String? {
    output(of: ["dpkg-query", "--show", "--showformat=${Version}", name])
  }

  /// Returns the one-line output of a command. Nil if the command fails.
  private static func output(of command: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let line = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return process.terminationStatus == 0 && !line.isEmpty ? line : nil
  }
}
