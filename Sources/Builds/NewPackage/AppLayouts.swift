import Foundation
import Platform

/// A Swift file of an app.
package struct LayoutFile: Sendable {
  package let path: String
  package let text: String

  package var name: String { Paths.name(path) }

  package init(_ path: String) throws(UsageError) {
    let name = Paths.name(path)
    guard name.hasSuffix(".swift"), name != "main.swift" else {
      throw UsageError("--layout", "\(path) is no Swift file of an app", remedy: "name one as in SpringyLayout.swift")
    }
    let data: Data
    do { data = try InputFile(path).read() } catch { throw UsageError("--layout: \(path) \(error)") }
    guard let text = String(data: data, encoding: .utf8) else {
      throw UsageError("--layout", "\(path) is not UTF-8", remedy: "is it the right file?")
    }
    (self.path, self.text) = (path, text)
  }
}

/// The files of an app that are named by `springbench init --layout`, and the layout classes in them.
package struct AppLayouts: Sendable {
  package let files: [LayoutFile]
  package let copies: [LinuxCopy]
  private let layouts: [LayoutClass]
  private let classes: [String: LayoutClass]

  /// UIKit's layout classes, each with the parameters of its initializer. Nil if the initializer needs no arguments.
  private static let roots: [String: String?] = [
    "UICollectionViewLayout": nil, "UICollectionViewFlowLayout": nil,
    "UICollectionViewCompositionalLayout": "section: NSCollectionLayoutSection",
    "UICollectionViewTransitionLayout": "currentLayout: UICollectionViewLayout, nextLayout: UICollectionViewLayout",
  ]

  package init(_ paths: [String]) throws(UsageError) {
    var files: [LayoutFile] = []
    for path in paths {
      let file = try LayoutFile(path)
      if let other = files.first(where: { $0.name == file.name }) {
        throw UsageError("--layout", "\(other.path) and \(path) have one name", remedy: "rename one of them")
      }
      files.append(file)
    }
    let all = files.flatMap { LayoutClass.all(in: $0.text) }
    let classes = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    layouts = all.filter { Self.isLayout($0, classes) }
    guard !layouts.isEmpty else {
      let others = all.compactMap { one in one.base.map { "\(one.name): \($0)" } }.prefix(5).joined(separator: ", ")
      throw UsageError(
        "--layout", "no class there inherits from UICollectionViewLayout\(others.isEmpty ? "" : " (\(others))")",
        remedy: "name the files of its superclasses, too")
    }
    copies = files.map { LinuxCopy(of: $0.text, named: $0.name) }
    (self.files, self.classes) = (files, classes)
  }

  private static func isLayout(_ one: LayoutClass, _ classes: [String: LayoutClass]) -> Bool {
    // In a file that does not compile, a class may inherit from itself through other classes. The prefix then ends the
    // loop.
    let bases = sequence(first: one) { $0.base.flatMap { classes[$0] } }.prefix(classes.count + 1).compactMap(\.base)
    return bases.contains { roots[$0] != nil }
  }

  package var names: String { layouts.map(\.name).joined(separator: ", ") }

  package var changes: [String] { copies.flatMap(\.changes) }

  package func checkThatNoneIsChanged() throws(UsageError) {
    guard let change = changes.first else { return }
    throw UsageError(
      "--link", "not every file compiles on Linux as it is (\(change))", remedy: "leave out --link to copy them")
  }

  /// Returns lines to print for the person who made the package.
  package func notes(isCopied: Bool) -> [String] {
    (isCopied ? changes : []) + copies.flatMap(\.uncalledMethods)
      + layouts.compactMap { layout in
        obstacle(to: layout).map { "\(layout.name) is not measured: it \($0); main.swift has a line to complete" }
      } + (isCopied ? ["The files are copies; --renew, with the same options, copies them anew."] : [])
  }

  /// Returns why `main.swift` cannot create the layout without arguments, such as "is private". Nil if it can.
  private func obstacle(to layout: LayoutClass) -> String? {
    layout.obstacle ?? arguments(of: layout).map { "needs \($0)" }
  }

  /// Returns an initializer that needs arguments, such as `init(a: Int)`. Nil if the class can be created without
  /// arguments.
  private func arguments(of layout: LayoutClass, depth: Int = 0) -> String? {
    let own = layout.initializers
    if own.contains(where: \.needsNothing) { return nil }
    if own.contains(where: \.isDesignated) { return "init(\((own.first { !$0.isUnusable } ?? own[0]).parameters))" }
    guard let base = layout.base, depth < classes.count else { return nil }
    if let inherited = classes[base] { return arguments(of: inherited, depth: depth + 1) }
    return (Self.roots[base] ?? nil).map { "init(\($0))" }
  }

  /// Returns the text of main.swift, with a line for each layout.
  package func main(suite: String) -> String {
    let lines = layouts.flatMap { layout in
      let line = "suite.add(layout: \(layout.name)(), items: [100, 1_000])"
      guard let obstacle = obstacle(to: layout) else { return [line] }
      return ["// \(layout.name) \(obstacle). Change the following line, and take away its slashes.", "// \(line)"]
    }
    return """
      import FrameBench
      import UIKit
      import UIKitScenarios

      var suite = Suite(\(suite.debugDescription))

      // A list of so many items is scrolled. If sizes or insets come from a delegate, set it, and return it to keep it:
      // suite.add(layout: …, items: [100], setUp: { view in let sizes = Sizes(); view.delegate = sizes; return sizes })
      \(lines.joined(separator: "\n"))

      await suite.main()

      """
  }

  /// The settings of the target with an app's files. They import UIKit into every file, because in the app, a file
  /// without imports may get UIKit from an umbrella header.
  package static let settings = """
          swiftSettings: [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "UIKit"])]
    """
}
