import Builds
import Foundation
import Judging
import Platform
import SystemPackage

/// How the limits that a gate checks differ from those in a git revision.
package enum LimitChange: Equatable {
  case unchanged
  /// The limits lie outside of the repository of the benchmarks, so the revision does not have them.
  case unknown
  case changed(String)

  /// Returns what a report says of the change. Nil if there is none.
  package func remark(since revision: String) -> String? {
    switch self {
    case .unchanged: nil
    case .unknown: "The limits are outside of the repository, so they were not compared with those of \(revision)."
    case .changed(let remark): remark
    }
  }

  /// - Parameters:
  ///   - path: The budget file that the command line names. Nil stands for the usual places.
  ///   - package: The package that the command line names. Its repository has the revision.
  /// - Throws: An error if the checkout lacks the commit.
  package init(of path: String?, package: String?, since revision: String) async throws {
    let folder = Git(folder: (try? PackageFolder.find(package)) ?? FileManager.default.currentDirectoryPath)
    self = .unknown
    guard let root = try await folder.checkoutRoot() else { return }
    guard try await folder.knowsCommit(revision) else {
      throw RunError("git does not know that commit" + (try await folder.isShallow() ? "; \(Git.deepening)" : ""))
    }
    for path in path.map({ [$0] }) ?? BudgetFile.defaultPaths(package: package) {
      self = try await Self.change(of: path, since: revision, in: Git(folder: root))
      // The revision may have a file in a place that comes first, and is empty now.
      if case .changed = self { return }
      if access(path, F_OK) == 0 { return }
    }
  }

  private static func change(of path: String, since revision: String, in git: Git) async throws -> LimitChange {
    guard let place = place(of: path, in: git.folder) else { return .unknown }
    let (exists, isSame): (Bool, Bool)
    switch try await git.entry(at: place, in: revision) {
    case .outside:
      if let real = Paths.real(path), !"\(real)/".hasPrefix("\(git.folder)/") { return .unknown }
      (exists, isSame) = (true, false)
    case .none: (exists, isSame) = (false, access(path, F_OK) != 0)
    case .file(let text): (exists, isSame) = (true, isText(text, of: path))
    case .folder(let files):
      let names = Set(files + Paths.names(in: path)).filter { $0.hasSuffix(BudgetFile.thresholdsEnd) }
      for name in names.sorted() {
        let change = try await change(of: Paths.joined(path, name), since: revision, in: git)
        if change != .unchanged { return change }
      }
      (exists, isSame) = (true, Paths.isFolder(path))
    }
    if isSame { return .unchanged }
    return .changed(
      exists && access(path, F_OK) != 0
        ? "\(revision) has limits in \(path), which is gone here, so none of them was checked."
        : "\(path) is not that of \(revision); what it says now was checked.")
  }

  /// Returns the path relative to the top of a checkout, with the links of the checkout in it. Nil if it does not lead
  /// through the top.
  private static func place(of path: String, in root: String) -> String? {
    let names = FilePath(Paths.absolute(path)).components.map(\.string)
    return (0...names.count).first { Paths.real("/" + names.prefix($0).joined(separator: "/")) == root }.map {
      names.dropFirst($0).joined(separator: "/")
    }
  }

  /// Whether a file has this text. Git may have converted the ends of lines.
  private static func isText(_ text: String, of path: String) -> Bool {
    guard let own = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
    return own.replacing("\r\n", with: "\n") == text.replacing("\r\n", with: "\n")
  }
}
