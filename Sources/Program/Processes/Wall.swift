import CProcessControl
import Foundation
import SystemPackage

/// What a program is started for, which decides what it may touch.
enum Role: Equatable, Sendable {
  /// A program of this machine, such as git or the linker.
  case tool
  /// What compiles a package, and runs its manifests, plug-ins and macros.
  case build
  /// A program of benchmarks.
  /// - Parameters:
  ///   - files: The program's own file, and the one that it is a copy of: it looks for other files in their folders.
  ///   - using: Folders that it may write to.
  case worker(files: [String], using: [String] = [])

  /// Whether the program is code of the package, or runs such code.
  var isForeign: Bool { self != .tool }
}

/// Keeps code of the package away from springbench and its files, by the kernel's Landlock: it reads neither the memory
/// nor the environment of processes that are not its own, on every system that has Landlock. In the sandbox it also
/// reads and writes no files but those that it needs.
struct Wall {
  let descriptor: OwnDescriptor

  /// Nil for a tool, and where there is neither Landlock nor a sandbox.
  init?(for role: Role) throws {
    guard role.isForeign else { return nil }
    let sandbox = Sandbox.current
    let number = process_control_wall(sandbox != nil)
    guard number >= 0 else {
      if sandbox != nil { throw RunError("--sandbox: the system denies a wall (Landlock): \(Errno.last)") }
      return nil
    }
    descriptor = OwnDescriptor(number)
    guard let sandbox else { return }
    allow(
      Sandbox.system + Sandbox.settings + sandbox.visible + ["/dev", "/proc", "/sys"]
        + Self.entries(of: sandbox.repository, without: sandbox.hidden))
    allow(["/dev", Sandbox.home], writing: true)
    switch role {
    case .tool: break
    case .build:
      allow(Self.entries(of: sandbox.buildFolder, without: [sandbox.builds]))
      allow([sandbox.slot], writing: true)
    case .worker(let files, let folders):
      for file in files.compactMap(Paths.real) {
        let folder = Paths.parent(file)
        // The folder only if it does not hold the whole package.
        allow([file] + (sandbox.hidden.contains { $0.hasPrefix(folder + "/") } ? [] : [folder]))
      }
      allow(folders, writing: true)
    }
  }

  /// What does not exist is left out.
  private func allow(_ paths: [String], writing: Bool = false) {
    for path in paths {
      process_control_wall_allow(descriptor.number, path, writing ? process_control_writing : process_control_reading)
    }
  }

  /// What a folder contains, without some files and folders at any depth.
  private static func entries(of folder: String, without hidden: [String]) -> [String] {
    guard hidden.contains(where: { $0 == folder || $0.hasPrefix(folder + "/") }) else { return [folder] }
    if hidden.contains(folder) { return [] }
    return Paths.names(in: folder).flatMap { entries(of: "\(folder)/\($0)", without: hidden) }
  }
}
