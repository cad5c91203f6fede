import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests `init --layout`, which turns files of an app into a package that measures their layouts.
@Suite struct LayoutPackageTests {
  private func copy(_ text: String) -> LinuxCopy { LinuxCopy(of: text, named: "Grid.swift") }

  @Test func whatLinuxLacksIsReplacedAndNoted() {
    let copy = copy(
      """
      import UIKit.UIGestureRecognizerSubclass
      @objc public protocol GridDelegate {
        @objc(heightAt:) func height(at row: Int) -> CGFloat
      }
      @IBDesignable @objcMembers class Grid: UICollectionViewFlowLayout {
        @IBInspectable var rows: Int = 1
        let action = #selector(Grid.tapped(_:))
        @available(iOS 13, *) @objc func tapped(_ sender: Any) {}
      }

      """)
    #expect(
      copy.text == """
        import UIKit
         public protocol GridDelegate: AnyObject {
          func height(at row: Int) -> CGFloat
        }
        class Grid: UICollectionViewFlowLayout {
          var rows: Int = 1
          let action = Selector(Grid.tapped(_:))
          @available(iOS 13, *) func tapped(_ sender: Any) {}
        }

        """)
    #expect(
      copy.changes == [
        "Grid.swift:1: import of the whole of UIKit", "Grid.swift:2: @objc replaced by AnyObject",
        "Grid.swift:3: @objc removed", "Grid.swift:5: @IBDesignable removed", "Grid.swift:5: @objcMembers removed",
        "Grid.swift:6: @IBInspectable removed", "Grid.swift:7: #selector replaced by Selector",
        "Grid.swift:8: @objc removed",
      ])
  }

  @Test(arguments: [
    "let text = \"@objc \\(names[\"@objc\"] ?? \"(@objc\") @objc\"", "// @objc\n/* @objc /* */ @objc */ let a = 1",
    "let text = \"\"\"\n  @objc \"quoted\" \\(a)\n  \"\"\"", "let text = #\"\\\" @objc\"# + \"\\\"@objc\"",
    "extension Grid { func a() {} }\nclass Grid {}", "let text = \"@objc",
  ]) func whatIsNoCodeOrCompilesStays(text: String) { #expect(copy(text).text == text && copy(text).changes == []) }

  @Test func whatIsForIOSOnlyIsCompiledToo() {
    let copy = copy("#if !os(iOS)\n#elseif os(tvOS) || os(iOS) // os(iOS)\n#endif\n")
    #expect(
      copy.text == """
        #if !(os(iOS) || os(Linux))
        #elseif os(tvOS) || (os(iOS) || os(Linux)) // os(iOS)
        #endif

        """)
    #expect(
      copy.changes == [
        "Grid.swift:1: what is for iOS is for Linux, too", "Grid.swift:2: what is for iOS is for Linux, too",
      ])
  }

  @Test func requirementsThatAreOptionalBecomeRequiredWhereTheyAreCalled() {
    let copy = copy(
      """
      @objc protocol GridDelegate {
        @objc optional func height(of item: Int) -> CGFloat
        @objc optional var gap: CGFloat { get }
      }
      let height = delegate?.height?(of: 1) ?? 5 // height?(of
      onTap?(1)
      self.onTap?(1)
      """)
    #expect(
      copy.text == """
         protocol GridDelegate: AnyObject {
          func height(of item: Int) -> CGFloat
          var gap: CGFloat { get }
        }
        let height = delegate?.height(of: 1) ?? 5 // height?(of
        onTap?(1)
        self.onTap?(1)
        """)
    #expect(
      copy.changes.contains("Grid.swift:2: optional requirement made required: Swift has no optional ones on Linux"))
    #expect(copy.changes.contains("Grid.swift:5: call of a requirement that was optional"))
  }

  @Test func initializersOfAttributesAndContextsBecomeRequired() {
    let copy = copy(
      """
      final class Fancy: UICollectionViewLayoutAttributes {
        public override init() { super.init() }
      }
      class Fancier: Fancy, Sendable { override public init() {} }
      class Context: UICollectionViewFlowLayoutInvalidationContext {
        override init() {}
        override init(a: Int) {}
      }
      class Grid: UICollectionViewLayout { override init() {} }
      class Both: Context { required override init() {} }
      """)
    #expect(
      copy.text == """
        final class Fancy: UICollectionViewLayoutAttributes {
          public required init() { super.init() }
        }
        class Fancier: Fancy, Sendable { required public init() {} }
        class Context: UICollectionViewFlowLayoutInvalidationContext {
          required init() {}
          override init(a: Int) {}
        }
        class Grid: UICollectionViewLayout { override init() {} }
        class Both: Context { required init() {} }
        """)
    let replaced = [2, 4, 6].map { "Grid.swift:\($0): override of init() replaced by required" }
    #expect(copy.changes == replaced + ["Grid.swift:10: override of init() removed"])
  }

  @Test func methodsThatOnlyASubclassOfADelegateHasAreNamed() {
    let copy = copy(
      """
      class Base: UIViewController {}
      extension Base: UICollectionViewDelegateFlowLayout { func collectionView(a: Int) {} }
      class Feed: Base {
        func collectionView(b: Int) {}
        override public func collectionView(a: Int) {}
        private func helper() {}
        func scrollViewDidScroll(_ view: UIScrollView) {}
      }
      class Other: UIViewController { func collectionView(b: Int) {} }
      """)
    #expect(
      copy.uncalledMethods == [
        "Grid.swift:4: collectionView is not called on Linux; declare it in Base, too",
        "Grid.swift:7: scrollViewDidScroll is not called on Linux; declare it in Base, too",
      ])
    #expect(copy.changes == [])
  }

  @Test func methodsThatAreCalledOrNoneOfADelegateAreNotNamed() {
    let copy = copy(
      """
      class Base: UIViewController, UICollectionViewDelegate {}
      class Feed: Base, UICollectionViewDelegateFlowLayout { func collectionView(b: Int) {} }
      class List: Base { private func scrollViewHeight() {} }
      extension List {
        override func viewDidLoad() {}
        func scrollViewDidScroll(_ view: UIScrollView) {}
      }
      """)
    #expect(
      copy.uncalledMethods == ["Grid.swift:6: scrollViewDidScroll is not called on Linux; declare it in Base, too"])
    #expect(copy.changes == ["Grid.swift:4: extension with overrides moved into class List"])
  }

  @Test func overridesOfAnExtensionMoveIntoTheClass() {
    let text = copy(
      """
      class Grid: UICollectionViewLayout {
        let text = "}"
      }

      extension Grid: Countable {
        override func prepare() { if true {} }
        var count: Int { 1 }
      }
      extension Grid { var other: Int { 2 } }

      """)
    #expect(
      text.text == """
        class Grid: UICollectionViewLayout {
          let text = "}"

          override func prepare() { if true {} }
          var count: Int { 1 }
        }

        extension Grid: Countable {}
        extension Grid { var other: Int { 2 } }

        """)
    #expect(text.changes == ["Grid.swift:5: extension with overrides moved into class Grid"])
  }

  private struct App {
    let folder: TemporaryFolder

    init(_ files: [String: String]) throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path + "/app/ui", withIntermediateDirectories: true)
      for (name, text) in files { try write(text, to: name) }
    }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(folder.path)/app/ui/\(name)", atomically: true, encoding: .utf8)
    }

    func text(_ path: String) throws -> String {
      try String(contentsOfFile: "\(folder.path)/app/Benchmarks/\(path)", encoding: .utf8)
    }

    func runInit(_ names: [String], _ options: String...) async throws -> FixtureProcess {
      let files = names.flatMap { ["--layout", "app/ui/\($0)"] }
      return try await FixtureProcess.run(
        ["init", "app", "--springbench", repositoryRoot.path] + files + options, in: folder.path)
    }
  }

  private static let bouncy = """
    import UIKit
    final class Bouncy: Base {
      override init() { super.init() }
      required init?(coder: NSCoder) { super.init(coder: coder) }
    }

    """

  @Test(arguments: [
    ("", true), ("a: Int = max(1, 2), b: [Int] = [3, 4]", true), ("a: String = \"x, y\"", true),
    ("a: [String: Set<Int>] = [:], b: (Int, Int) -> Int = { $0 + $1 }", true), ("a: Int = max(1, 2), b: Int", false),
    ("a: (Int, Int)", false),
  ]) func anInitializerNeedsNothingIfEveryParameterHasADefault(_ parameters: String, _ needsNothing: Bool) throws {
    let found = LayoutClass.all(in: "class A: UICollectionViewLayout { init(\(parameters)) {} }")
    #expect(try #require(found.first?.initializers.first).needsNothing == needsNothing)
  }

  @Test func everyClassOfALayoutIsMeasuredOrSaysWhatItNeeds() async throws {
    let app = try App([
      "Bouncy.swift": Self.bouncy,
      "Base.swift": """
      class Base: UICollectionViewFlowLayout {
        @objc var spacing = 1
      }
      class Columns: UICollectionViewLayout {
        init(columns: Int,
             spacing: CGFloat = 2) { super.init() }
        required init?(coder: NSCoder) { fatalError() }
      }
      class Boxes: UICollectionViewCompositionalLayout {}
      class Any1<Item>: Base {}
      class Cell: UIView { class Inner: Base {} }
      private class Hidden: Base {}
      """,
    ])
    let process = try await app.runInit(["Bouncy.swift", "Base.swift"])
    #expect(process.status == 0, "\(process.error)")
    let main = try app.text("Sources/benchmarks/main.swift")
    let added = main.split(separator: "\n").filter { $0.hasPrefix("suite.add") }
    #expect(added == ["Bouncy", "Base"].map { "suite.add(layout: \($0)(), items: [100, 1_000])" })
    for need in [
      "Columns needs init(columns: Int, spacing: CGFloat = 2)", "Boxes needs init(section: NSCollectionLayoutSection)",
      "Any1 is generic", "Inner lies in another type", "Hidden is private",
    ] { #expect(main.contains("// \(need). Change the following line"), "\(main)") }
    #expect(process.output.contains("Columns is not measured: it needs init(columns: Int, spacing: CGFloat = 2);"))
    #expect(process.output.contains("Base.swift:2: @objc removed\n"))
    #expect(try app.text("Sources/benchmarks/Bouncy.swift") == Self.bouncy)
    #expect(try app.text("Sources/benchmarks/Base.swift").contains("  var spacing = 1\n"))
    let manifest = try app.text("Package.swift")
    #expect(manifest.contains(".product(name: \"UIKitScenarios\", package: \"springbench\")"))
    #expect(process.output.contains("cd app/Benchmarks && springbench run\n"))
  }

  @Test func copiesAreRenewedAndNothingElseIs() async throws {
    let text = "class Grid: UICollectionViewFlowLayout {}\n"
    let app = try App(["Grid.swift": text])
    #expect(try await app.runInit(["Grid.swift"], "--renew").status == 64)
    #expect(try await app.runInit(["Grid.swift"], "--renew", "--link").error.contains("--renew is given as well"))
    #expect(try await app.runInit(["Grid.swift"]).status == 0)
    try app.write("@objc \(text)", to: "Grid.swift")
    let again = try await app.runInit(["Grid.swift"])
    #expect(again.status == 64 && again.error.contains("--renew"))
    let main = app.folder.path + "/app/Benchmarks/Sources/benchmarks/main.swift"
    try "mine".write(toFile: main, atomically: true, encoding: .utf8)
    try app.write("\(text)// changed\n", to: "Grid.swift")
    let renewed = try await app.runInit(["Grid.swift"], "--renew")
    #expect(renewed.status == 0 && renewed.output.contains("Grid.swift: copied anew"), "\(renewed.error)")
    #expect(try app.text("Sources/benchmarks/Grid.swift") == "\(text)// changed\n")
    #expect(try String(contentsOfFile: main, encoding: .utf8) == "mine")
    let own = "class Own: Grid { func scrollViewDidScroll(_ view: UIScrollView) {} }\n"
    try app.write("class Grid: UICollectionViewFlowLayout, UICollectionViewDelegate {}\n" + own, to: "Grid.swift")
    let uncalled = try await app.runInit(["Grid.swift"], "--renew")
    #expect(uncalled.output.contains("Grid.swift:2: scrollViewDidScroll is not called on Linux"), "\(uncalled)")
  }

  @Test func aLinkLeadsToTheFileWhereverTheFolderIsMoved() async throws {
    let app = try App(["Grid.swift": "class Grid: UICollectionViewFlowLayout {}\n"])
    let process = try await app.runInit(["Grid.swift"], "--link")
    #expect(process.status == 0, "\(process.error)")
    try FileManager.default.moveItem(atPath: app.folder.path + "/app", toPath: app.folder.path + "/moved")
    try "changed".write(toFile: app.folder.path + "/moved/ui/Grid.swift", atomically: false, encoding: .utf8)
    let link = app.folder.path + "/moved/Benchmarks/Sources/benchmarks/Grid.swift"
    #expect(try String(contentsOfFile: link, encoding: .utf8) == "changed")
    let other = try App(["Grid.swift": "@objc class Grid: UICollectionViewFlowLayout {}\n"])
    let refused = try await other.runInit(["Grid.swift"], "--link")
    #expect(refused.status == 64 && refused.error.contains("Grid.swift:1: @objc removed"))
    #expect(other.folder.contents == ["app", "app/ui", "app/ui/Grid.swift"])
  }

  @Test(arguments: [
    ["Cell.swift"], ["Bouncy.swift"], ["none.swift"], ["Cell.txt"], ["Circle.swift"], ["Bouncy.swift", "Bouncy.swift"],
  ]) func whatHasNoLayoutIsRefusedBeforeAnythingIsWritten(names: [String]) async throws {
    let app = try App([
      "Cell.swift": "class Cell: UIView {}\n", "Bouncy.swift": Self.bouncy, "Cell.txt": "",
      "Circle.swift": "class A: B {}\nclass B: A {}\n",
    ])
    let before = app.folder.contents
    let process = try await app.runInit(names)
    #expect(process.status == 64 && process.error.contains("--layout: "), "\(process.error)")
    #expect(app.folder.contents == before && process.errorLines.count == 1)
  }
}
