import CProcessControl
import Foundation

/// A folder of files that is either replaced whole or stays as it was, whatever happens while it is written.
struct WholeFolder {
  typealias File = (name: String, data: Data)
  typealias Problem = WholeFile.Problem

  let path: String

  /// - Parameter path: Where it leads to a folder as a symbolic link, that folder is meant.
  init(path: String) { self.path = Paths.target(path) }

  private var parent: String { Paths.parent(path) }

  /// Writes a new folder; never over one with files in it.
  ///
  /// - Throws: `.taken` where there is one.
  func create(_ files: [File]) throws(Problem) {
    guard access(path, F_OK) != 0 else { throw .taken }
    let hidden = try writeHidden(files)
    guard rename(hidden.path, path) == 0 else {
      let problem = errno
      hidden.remove()
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(problem) ? .taken : .system(path, problem)
    }
    try Self.sync(parent)
  }

  /// Puts these files in the place of all that the folder held.
  func replace(_ files: [File]) throws(Problem) {
    let hidden = try writeHidden(files)
    defer { hidden.remove() }
    // The old folder ends where the new one was, and is removed with it.
    var problem = process_control_exchange(hidden.path, path)
    if problem == ENOENT { problem = rename(hidden.path, path) == 0 ? 0 : errno }
    if problem != 0 { try replaceInSteps(hidden.path) }
    try Self.sync(parent)
  }

  /// Puts these files beside what the folder holds, which is there: none before the disk has taken all of them.
  func add(_ files: [File]) throws(Problem) {
    let hidden = try WholeFolder(path: Paths.joined(path, "added")).writeHidden(files)
    defer { hidden.remove() }
    for file in files {
      let target = Paths.joined(path, file.name)
      guard rename(Paths.joined(hidden.path, file.name), target) == 0 else { throw .system(target, errno) }
    }
    try Self.sync(path)
  }

  /// Half a removal is not seen: the folder is moved out of the way first.
  func remove() throws(Problem) {
    let hidden = hiddenPath
    guard rename(path, hidden) == 0 else { throw .system(path, errno) }
    HiddenEntry.remove(hidden)
  }

  /// Not every file system exchanges folders: for a moment there is none.
  private func replaceInSteps(_ hidden: String) throws(Problem) {
    let old = hiddenPath
    defer { HiddenEntry.remove(old) }
    if rename(path, old) != 0, errno != ENOENT { throw .system(path, errno) }
    guard rename(hidden, path) == 0 else {
      let problem = errno
      rename(old, path)
      throw .system(path, problem)
    }
  }

  /// Removes what killed writers left behind beside this folder.
  private func sweep() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.wholeMatch(of: /\..+-writing-[0-9]+-[0-9a-z]+/) != nil {
      HiddenEntry.sweep(Paths.joined(parent, name))
    }
  }

  private var hiddenPath: String {
    let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
    return Paths.joined(parent, ".\(Paths.name(path).prefix(60))-writing-\(getpid())-\(unique)")
  }

  private func writeHidden(_ files: [File]) throws(Problem) -> HiddenEntry {
    sweep()
    try Self.makeFolder(parent)
    let hidden = try HiddenEntry.makeFolder(at: { hiddenPath }, permissions: 0o777)
    do {
      try Self.write(files, below: hidden.path)
    } catch {
      hidden.remove()
      throw error
    }
    return hidden
  }

  private static func write(_ files: [File], below path: String) throws(Problem) {
    var made: Set<String> = [path]
    for file in files {
      let target = "\(path)/\(file.name)"
      let folder = Paths.parent(target)
      if made.insert(folder).inserted { try makeFolder(folder) }
      try WholeFile.write(file.data, toNew: target)
    }
    for folder in made { try sync(folder) }
  }

  private static func makeFolder(_ path: String) throws(Problem) {
    do {
      try Paths.makeFolder(path)
    } catch {
      throw .system(path, error.rawValue)
    }
  }

  /// Else the names in a folder may be lost where what they name is not.
  static func sync(_ folder: String) throws(Problem) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(folder, errno) }
    defer { close(descriptor) }
    // Some file systems do not sync folders, and say that it makes no sense.
    if fsync(descriptor) != 0, errno != EINVAL { throw .system(folder, errno) }
  }
}
