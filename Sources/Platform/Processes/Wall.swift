import CProcessControl
import Foundation
import SystemPackage

/// The purpose of a program, which decides what it can access.
package enum Role: Equatable, Sendable {
  /// An installed program that does not run the measured package's code, such as git.
  case tool
  /// A program that compiles a package and runs its manifests, plug-ins and macros.
  /// - Parameter home: In the sandbox, the home folder that the programs of one revision share. Nil means a folder of
  ///   the program's own.
  case build(home: String? = nil)
  /// A linker, or another tool that reads what a `build` program has made. Such files can contain paths of other files,
  /// so the tool may read only what code of the package may read.
  /// - Parameter folders: Folders to which the tool may write.
  case linker(folders: [String])
  /// A program of benchmarks.
  /// - Parameters:
  ///   - files: The program's own file and, if that is a copy, the original. The program may look for other files in
  ///     their folders.
  ///   - using: Folders to which the program may write.
  case worker(files: [String], using: [String] = [])

  /// Whether the program is code of the measured package, or runs or reads what such code has made.
  package var isForeign: Bool { self != .tool }
  package var isBuild: Bool { if case .build = self { true } else { false } }
  package var home: String? { if case .build(let home) = self { home } else { nil } }
}

/// Restricts code of the measured package with the kernel's Landlock. On every system with Landlock, the code can read
/// neither the memory nor the environment of processes other than its own. In the sandbox it can also read and write
/// only the files that it needs.
package struct Wall {
  package let descriptor: OwnDescriptor

  /// Whether this system has Landlock, and lets this process use it.
  package static var isPossible: Bool {
    let wall = process_control_wall(false)
    if wall >= 0 { close(wall) }
    return wall != process_control_no_wall
  }

  /// Returns nil for a tool. Also returns nil outside of the sandbox if the system has no Landlock.
  /// - Parameter home: In the sandbox, the program's home folder.
  /// - Throws: `RunError` if no wall can be made although the system has Landlock, or although this is the sandbox.
  package init?(for role: Role, home: String?) throws {
    guard role.isForeign else { return nil }
    let sandbox = Sandbox.current
    let number = process_control_wall(sandbox != nil)
    if number == process_control_no_wall, sandbox == nil { return nil }
    guard number >= 0 else {
      let reason = number == process_control_no_wall ? "it has none here" : "\(Errno(rawValue: -number))"
      throw RunError("the system denies a wall (Landlock) around the package's code: \(reason); run again")
    }
    descriptor = OwnDescriptor(number)
    guard let sandbox else { return }
    allow(
      Sandbox.system + Sandbox.settings + sandbox.visible + ["/dev", "/proc", "/sys"]
        + Self.entries(of: sandbox.repository, without: sandbox.hidden))
    allow(["/dev"] + [home].compactMap(\.self), writing: true)
    var built: [String] { sandbox.buildFolders.flatMap { Self.entries(of: $0, without: sandbox.builds) } }
    switch role {
    case .tool: break
    case .build:
      // Builds read each `Package.swift` from a folder that springbench fills, next to the home folders.
      allow(built + [Sandbox.home])
      // A build may write only to its own package's slot, the folder in which revisions are built.
      allow(sandbox.slots.filter { home?.hasPrefix($0 + "/") ?? false }, writing: true)
    case .linker(let folders):
      allow(built)
      allow(folders, writing: true)
    case .worker(let files, let folders):
      for file in files.compactMap(Paths.real) {
        let folder = Paths.parent(file)
        // The file's folder is readable only if it does not contain hidden folders.
        allow([file] + (sandbox.hidden.contains { $0.hasPrefix(folder + "/") } ? [] : [folder]))
      }
      allow(folders, writing: true)
    }
  }

  /// Allows the program to read the paths and, if requested, to write to them. Paths that do not exist are left out.
  private func allow(_ paths: [String], writing: Bool = false) {
    for path in paths {
      process_control_wall_allow(descriptor.number, path, writing ? process_control_writing : process_control_reading)
    }
  }

  /// Returns paths that together contain everything in a folder except the hidden files and folders, at any depth.
  private static func entries(of folder: String, without hidden: [String]) -> [String] {
    if hidden.contains(folder) { return [] }
    let start = folder + "/"
    let inside = hidden.filter { $0.hasPrefix(start) }
    return inside.isEmpty ? [folder] : Paths.names(in: folder).flatMap { entries(of: start + $0, without: inside) }
  }
}
