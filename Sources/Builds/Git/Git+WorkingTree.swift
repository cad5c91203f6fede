import Foundation
import Platform
import SystemPackage

extension Git {
  /// Writes the files of the checkout as they are on disk, including changes in submodules, to a tree in the snapshot.
  /// If they do not differ from `HEAD`, the result is the commit.
  /// - Parameter excluded: Folders to leave out, as paths relative to `folder`, which must be the top folder.
  package func workingTreeState(excluding excluded: [String], into snapshot: Snapshot) async throws -> SourceState {
    let commit = try await hash(of: "HEAD")
    let tree = try await writeTree(excluding: excluded, into: snapshot, index: snapshot.indexPath)
    if let commit, try await self.tree(of: commit) == tree {
      return SourceState(checkout: commit, commit: commit, tree: tree)
    }
    return SourceState(checkout: tree, commit: commit, tree: tree, snapshot: snapshot)
  }

  /// Throws if there is a source file in one of these folders for results, because builds leave them out.
  /// - Parameter folders: Paths relative to `folder`, which must be the top folder.
  package func refuseSources(in folders: [String]) async throws {
    guard !folders.isEmpty else { return }
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    let files = try await output(list + folders.map { ":(top,literal)\($0)" }, to: "list the files in the working tree")
    guard let source = files.split(separator: "\0").map(String.init).first(where: OutputFile.isSource) else { return }
    throw RevisionError(.usage, "\(source) is a source file in a folder for results; name another folder")
  }

  private func writeTree(excluding excluded: [String], into snapshot: Snapshot, index: String) async throws -> String {
    let objects = ["rev-parse", "--path-format=absolute", "--git-path", "objects"]
    try snapshot.show(objects: try await output(objects, to: "find its objects"))
    let environment = try await freshIndex(at: index).merging(["GIT_OBJECT_DIRECTORY": snapshot.objects]) { $1 }
    var paths = ["."]
    // Git rejects exclusions of paths that it ignores anyway, or that do not belong to this checkout.
    let search = ["check-ignore", "--quiet", "--no-index", "--"]
    for path in Set(excluded).filter(isOwn) where try await answer(search + [path], to: "tell what it ignores") == nil {
      paths.append(":(top,exclude,literal)\(path)")
    }
    try await output(
      Self.asItLies + ["add", "--all", "--"] + paths, to: "read the working tree", environment: environment)
    try await addUnconverted(to: snapshot, environment: environment)
    let duty = "write the working tree"
    let tree = try await output(["write-tree"], to: duty, environment: environment)
    var isWhole = true
    for (number, module) in try await submodules(of: tree, environment: environment).enumerated() {
      guard module.git.isCheckout else { continue }
      let inside = excluded.filter { $0.hasPrefix("\(module.path)/") }.map { $0.dropFirst(module.path.count + 1) }
      let content = try await module.git.writeTree(
        excluding: [".build"] + inside.map(String.init), into: snapshot, index: "\(index)-\(number)")
      if try await module.git.knowsCommit(module.commit), try await module.git.tree(of: module.commit) == content {
        continue
      }
      // The tree refers to the submodule's commit, which does not contain the changes. So this reference is replaced
      // with the submodule's files.
      try await end(
        of: ["update-index", "--force-remove", "-z", "--stdin"], to: duty, environment: environment,
        input: Data(module.path.utf8))
      try await output(["read-tree", "--prefix=\(module.path)/", content], to: duty, environment: environment)
      isWhole = false
    }
    return isWhole ? tree : try await output(["write-tree"], to: duty, environment: environment)
  }

  /// Stores the exact bytes of files that git would convert. Git may convert line ends, and filters may change
  /// anything, but compilers read the files as they are on disk.
  private func addUnconverted(to snapshot: Snapshot, environment: [String: String]) async throws {
    let duty = "compare the working tree with what it would check out"
    let modes = try await convertedFiles(duty, environment: environment)
    guard !modes.isEmpty else { return }
    let scratch = try HiddenEntry.scratch(in: Paths.parent(snapshot.objects), prefix: "converted-")
    defer { scratch.remove() }
    try await end(
      of: ["checkout-index", "--force", "-z", "--stdin", "--prefix=\(scratch.path)/"], to: duty,
      environment: environment, input: Data(modes.keys.joined(separator: "\0").utf8))
    var entries = ""
    for (path, mode) in modes {
      let file = "\(folder)/\(path)"
      if FileManager.default.contentsEqual(atPath: file, andPath: "\(scratch.path)/\(path)") { continue }
      let hash = try await output(
        ["hash-object", "-w", "--no-filters", "--", file], to: duty, environment: environment)
      entries += "\(mode) \(hash)\t\(path)\0"
      try snapshot.keepUnconverted(file)
    }
    try await end(
      of: ["update-index", "-z", "--index-info"], to: duty, environment: environment, input: Data(entries.utf8))
  }

  /// Returns the regular files on the disk that git may convert between the repository and the disk: their modes in the
  /// index, by path. Files that a sparse checkout leaves out are not on the disk, and git would refuse to write them.
  private func convertedFiles(_ duty: String, environment: [String: String]) async throws -> [String: Substring] {
    let list = try await end(of: ["ls-files", "--stage", "-z"], to: duty, environment: environment)
    var modes: [String: Substring] = [:]
    for entry in list.entries {
      guard let tab = entry.firstIndex(of: "\t") else { continue }
      modes[String(entry[tab...].dropFirst())] = entry.prefix { $0 != " " }
    }
    func isFile(_ path: String) -> Bool { Paths.mode("\(folder)/\(path)").map { $0 & S_IFMT } == S_IFREG }
    if try await answer(["config", "core.autocrlf"], to: "read its configuration") ?? "false" != "false" {
      return modes.filter { isFile($0.key) }
    }
    let attributes = ["filter", "text", "crlf", "eol", "ident", "working-tree-encoding"]
    let values = try await end(
      of: ["check-attr", "-z", "--stdin"] + attributes, to: duty, environment: environment,
      input: Data(modes.keys.joined(separator: "\0").utf8)
    ).text.split(separator: "\0", omittingEmptySubsequences: false)
    // The values are triples of a path, an attribute and the attribute's value.
    let converted = Set(
      stride(from: 0, to: values.count - 2, by: 3).filter { !["unspecified", "unset"].contains(values[$0 + 2]) }.map {
        String(values[$0])
      })
    return modes.filter { converted.contains($0.key) && isFile($0.key) }
  }

  /// Whether anything in the checkout differs from its commit. `folder` must be the top folder of the checkout.
  /// - Parameter excluded: Paths relative to the top folder whose changes do not count.
  package func differs(except excluded: [String]) async throws -> Bool {
    let scratch = try HiddenEntry.scratch(in: NSTemporaryDirectory(), prefix: HiddenEntry.temporaryPrefix)
    defer { scratch.remove() }
    let status = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=none", "--", ":/"]
    return try await !output(
      Self.asItLies + status + excluded.map { ":(top,exclude,literal)\($0)" },
      to: "compare the checkout in \(folder) with its commit", environment: freshIndex(at: "\(scratch.path)/index")
    ).isEmpty
  }

  /// Options of git commands that use the index from `freshIndex`. They switch off sparse checkout, so that existing
  /// files outside of its patterns count. The index marks such files that do not exist, so that they do not look
  /// removed.
  private static let asItLies = ["-c", "core.sparseCheckout=false"]

  /// Writes an index with the files of the user's index, but without the data by which git considers a file unchanged:
  /// times, sizes, and the marks `assume-unchanged` and `skip-worktree`. So git reads all files. Only files that a
  /// sparse checkout leaves out stay marked.
  /// - Returns: The environment variables for commands that use the index.
  private func freshIndex(at path: String) async throws -> [String: String] {
    let (environment, duty) = (["GIT_INDEX_FILE": path], "read the index")
    let files = try await end(of: ["ls-files", "--stage", "-z"], to: duty).output
    try await end(of: ["update-index", "-z", "--index-info"], to: duty, environment: environment, input: files)
    let absent = try await leftOutFiles()
    guard !absent.isEmpty else { return environment }
    try await end(
      of: ["update-index", "--skip-worktree", "-z", "--stdin"], to: duty, environment: environment,
      input: Data(absent.joined(separator: "\0").utf8))
    return environment
  }

  /// Returns the files that a sparse checkout leaves out. Empty for any other checkout. `folder` must be the top
  /// folder.
  package func leftOutFiles() async throws -> [String] {
    guard try await sparsePatterns() != nil else { return [] }
    let entries = try await end(of: ["ls-files", "-t", "-z"], to: "read the index").entries
    return entries.filter { $0.hasPrefix("S ") }.map { String($0.dropFirst(2)) }.filter {
      Paths.mode("\(folder)/\($0)") == nil
    }
  }

  private func submodules(of tree: String, environment: [String: String] = [:]) async throws -> [(
    path: String, commit: String, git: Git
  )] {
    let duty = "list the files of a revision"
    let entries = try await output(["ls-tree", "-r", "-z", tree], to: duty, environment: environment)
    return entries.split(separator: "\0").filter { $0.hasPrefix("160000 ") }.compactMap { entry in
      let parts = entry.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let commit = parts[0].split(separator: " ").last else { return nil }
      return (String(parts[1]), String(commit), Git(folder: "\(folder)/\(parts[1])"))
    }
  }

  /// Returns the lines of all files of a revision whose paths match one of the patterns. Empty if there are none.
  package func text(of patterns: [String], in revision: String) async throws -> String {
    let search = ["grep", "--no-color", "--text", "-h", "-e", "", revision, "--"]
    return try await answer(search + patterns, to: "read the manifests") ?? ""
  }

  /// Returns the text of all manifests of a revision and of its submodules that are here.
  package func manifests(in revision: String) async throws -> String {
    var text = try await text(of: [":(top,glob)**/Package*.swift"], in: revision)
    for (_, commit, module) in try await submodules(of: revision) where module.isCheckout {
      if try await module.knowsCommit(commit) { text += try await module.manifests(in: commit) }
    }
    return text
  }

  /// Whether `folder` is the top folder of a checkout. The folder of a submodule may be empty. Then git would use the
  /// checkout around that folder.
  private var isCheckout: Bool { FileManager.default.fileExists(atPath: "\(folder)/.git") }

  /// Whether a path relative to `folder` belongs to this checkout. Files in submodules or behind symbolic links do not.
  private func isOwn(_ path: String) -> Bool {
    !sequence(first: Paths.parent(path), next: Paths.parent).prefix { $0 != "." }.contains { parent in
      let place = "\(folder)/\(parent)"
      return Git(folder: place).isCheckout || Paths.mode(place).map { $0 & S_IFMT } == S_IFLNK
    }
  }

  /// Copies the files of the user's submodules into a checkout. `git submodule update` would change the repository's
  /// configuration and use the network. Returns what the checkout lacks.
  package func copySubmodules(from commit: String, to root: String) async throws -> Unfetched {
    var unfetched = try await pointers(of: commit, in: root)
    for (path, hash, module) in try await submodules(of: commit) {
      let target = "\(root)/\(path)"
      guard module.isCheckout, try await module.knowsCommit(hash) else {
        unfetched.notes.append(
          "the submodule \(path) is empty: \(hash.prefix(7)) is not here; git submodule update --init fetches it")
        let fetched = ["rev-parse", "--path-format=absolute", "--git-path", "FETCH_HEAD"]
        unfetched.signs.append(
          module.isCheckout ? try await module.output(fetched, to: "find what was fetched") : "\(module.folder)/.git")
        continue
      }
      let index = target + ".springbench-index"
      defer { try? FileManager.default.removeItem(atPath: index) }
      let environment = ["GIT_INDEX_FILE": index]
      try await module.output(["read-tree", hash], to: "read the submodule \(path)", environment: environment)
      try await module.output(
        ["checkout-index", "--all", "--force", "--prefix=\(target)/"], to: "copy the submodule \(path)",
        environment: environment)
      let inner = try await module.copySubmodules(from: hash, to: target)
      unfetched.notes += inner.notes
      unfetched.signs += inner.signs
    }
    return unfetched
  }

  /// Looks for files of a revision that are only pointers of Git LFS in a checkout, because their content was not
  /// fetched, or because Git LFS is not installed.
  private func pointers(of revision: String, in checkout: String) async throws -> Unfetched {
    let duty = "look for files of Git LFS"
    func search(_ text: String, _ options: String...) -> [String] {
      ["grep"] + options + ["--fixed-strings", "-e", text, revision, "--"]
    }
    let uses = search("filter=lfs", "--quiet") + [":(top,glob)**/.gitattributes"]
    guard try await answer(uses, to: duty) != nil else { return Unfetched() }
    let line = "version https://git-lfs.github.com/spec/v1"
    let found = try await answer(search(line, "--files-with-matches", "--full-name", "-z") + [":(top)"], to: duty)
    let pointers = (found ?? "").split(separator: "\0").map { $0.dropFirst(revision.count + 1) }.compactMap {
      file -> (file: String, text: String)? in
      let handle = FileHandle(forReadingAtPath: "\(checkout)/\(file)")
      let text = (try? handle?.read(upToCount: 1_024)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return text.hasPrefix(line + "\n") ? (file: String(file), text: text) : nil
    }
    guard let files = pointers.map(\.file).summary else { return Unfetched() }
    var folder = try await answer(["config", "--type=path", "lfs.storage"], to: duty) ?? "lfs"
    if !folder.hasPrefix("/") {
      folder = try await output(["rev-parse", "--path-format=absolute", "--git-common-dir"], to: duty) + "/\(folder)"
    }
    return Unfetched(
      notes: [
        "the build sees Git LFS's pointer in place of \(files); git lfs install and git lfs pull get the content"
      ],
      signs: pointers.compactMap { pointer in
        guard let hash = pointer.text.firstMatch(of: #/\noid sha256:([0-9a-f]{64})\n/#)?.1 else { return nil }
        return "\(folder)/objects/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
      })
  }

  /// Returns the settings of filters such as Git LFS, which may change files at their checkout; nil if there are none.
  package func filters() async throws -> String? {
    try await answer(["config", "--get-regexp", "^filter[.]"], to: "read its configuration")
  }
}

/// What a checkout lacks because it was not fetched.
package struct Unfetched: Sendable {
  package var notes: [String] = []
  /// Paths of files that appear or change when git fetches what the checkout lacks.
  package var signs: [String] = []
}

extension [String] {
  /// The first string and the number of the others, as in `a and 2 more`. Nil if the array is empty.
  var summary: String? { first.map { count == 1 ? $0 : "\($0) and \(count - 1) more" } }
}

/// A temporary index and object store for the state of a checkout, so that nothing is added to the user's repository.
package final class Snapshot: Sendable {
  private let folder: HiddenEntry

  package var indexPath: String { "\(folder.path)/index" }
  package var objects: String { "\(folder.path)/objects" }
  /// The file that names other object stores in which git searches, too.
  private var alternates: String { "\(objects)/info/alternates" }

  package init(in store: String) throws(RevisionError) {
    let folder = try HiddenEntry.scratch(in: store, prefix: Self.prefix)
    self.folder = folder
    try RevisionError.naming(folder.path) { try Paths.makeFolder("\(folder.path)/objects/info") }
  }

  private static let prefix = "snapshot-"
  private var unconverted: String { "\(folder.path)/unconverted" }

  /// Keeps a copy of a file as it is on disk, because git would convert the file when checking it out.
  fileprivate func keepUnconverted(_ path: String) throws(RevisionError) {
    try RevisionError.naming(path) {
      try Paths.makeFolder(Paths.parent(unconverted + path))
      try FileManager.default.copyItem(atPath: path, toPath: unconverted + path)
    }
  }

  /// Moves the copies that `keepUnconverted` made into a checkout.
  /// - Parameter repository: The folder from which the files were copied.
  package func putUnconverted(of repository: String, into checkout: String) throws {
    for path in FileManager.default.subpaths(atPath: unconverted + repository) ?? [] {
      let (source, target) = ("\(unconverted)\(repository)/\(path)", "\(checkout)/\(path)")
      if Paths.isFolder(source) { continue }
      try Errno.check(rename(source, target))
      // Sets the current time, because SwiftPM considers a file unchanged if its time has not changed.
      try Errno.check(utimes(target, nil))
    }
  }

  package static func sweep(_ store: String) { HiddenEntry.sweep(store, prefix: prefix) }

  /// Makes the objects of a repository visible in this store, so that they need not be copied.
  fileprivate func show(objects path: String) throws(RevisionError) {
    try RevisionError.naming(alternates) {
      let known = FileManager.default.contents(atPath: alternates) ?? Data()
      try (known + Data("\(Git.quoted(path))\n".utf8)).write(to: URL(fileURLWithPath: alternates))
    }
  }
}
