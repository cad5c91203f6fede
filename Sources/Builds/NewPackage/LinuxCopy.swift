/// A copy of an app's file without the features of Objective-C, which Swift lacks on Linux. Words are replaced without
/// knowledge of types. The compiler reports whatever else does not work on Linux. docs/uikit.md lists the replacements.
package struct LinuxCopy: Sendable, Equatable {
  package let name: String
  package private(set) var text: String
  /// A line for each change, as in `SpringyLayout.swift:12: @objc removed`.
  package var changes: [String] { notes.sorted { $0.line < $1.line }.map { "\(name):\($0.line): \($0.what)" } }

  /// A line for each delegate method that is not called on Linux: if a superclass conforms to the delegate's protocol
  /// but lacks the method, Swift calls the protocol's default instead of the subclass's method.
  package private(set) var uncalledMethods: [String] = []

  private var notes: [Note] = []

  private struct Note: Sendable, Equatable {
    var line: Int
    var what: String
  }

  private struct Edit {
    var offsets: Range<Int>
    var text: String
  }

  package init(of text: String, named name: String) {
    (self.name, self.text) = (name, text)
    replaceWords()
    requireInitializers()
    // This must happen before lines are moved, so that the line numbers are those of the original file.
    uncalledMethods = methodsOfSubclasses()
    moveOverrides()
  }

  private func methodsOfSubclasses() -> [String] {
    let code = SwiftCode(text)
    let heads = code.text.matches(of: #/\b(?:class|extension)\s+(\w+)\s*(?::\s*(\w+)[^{]*)?\{/#)
    let isDelegate = #/\bUI(?:CollectionView|ScrollView)(?:Delegate\w*|DataSource)\b/#
    let adopting = Set(heads.filter { $0.output.0.contains(isDelegate) }.map(\.output.1))
    var bases: [Substring: Substring] = [:]
    for head in heads where !adopting.contains(head.output.1) {
      if let base = head.output.2, adopting.contains(base) { bases[head.output.1] = base }
    }
    let methods = code.text.matches(
      of: #/(\b(?:override|private|fileprivate)\s+(?:\w+\s+)*)?\bfunc\s+(collectionView|scrollView\w+)\b/#)
    return heads.flatMap { head -> [String] in
      guard let base = bases[head.output.1] else { return [] }
      let start = code.offsets(of: head.output.0).upperBound
      let body = start..<code.close(of: start - 1)
      return methods.filter { $0.output.1 == nil && body.contains(code.offsets(of: $0.output.0).lowerBound) }.map {
        let line = code.line(at: code.offsets(of: $0.output.0).lowerBound)
        return "\(name):\(line): \($0.output.2) is not called on Linux; declare it in \(base), too"
      }
    }
  }

  /// Replaces words. No line is added or removed, so that the line numbers in the notes are those of the original file.
  private mutating func replaceWords() {
    // An `@objc` protocol is for classes only, and allows weak references to its instances. On Linux, this needs
    // `AnyObject`.
    replace(#/@objc\b(?:\([^)]*\))?(\s+)((?:\w+\s+)*?protocol\s+\w+)\s*\{/#) {
      ("\($0.1)\($0.2): AnyObject {", "@objc replaced by AnyObject")
    }
    replace(
      #/@(?:objc(?:Members)?|IB(?:Inspectable|Designable|Outlet|Action)|GKInspectable|nonobjc)\b(\([^)]*\))?[ \t]?/#
    ) { ("", "\($0.0.prefix { !"( \t".contains($0) }) removed") }
    let optional = SwiftCode(text).text.matches(of: #/\boptional\s+func\s+(\w+)/#).map { String($0.1) }
    replace(#/\boptional\s+(func|var)\b/#) {
      (String($0.1), "optional requirement made required: Swift has no optional ones on Linux")
    }
    replace(#/\.(\w+)\?\(/#) { match in
      optional.contains(String(match.1)) ? (".\(match.1)(", "call of a requirement that was optional") : nil
    }
    replace(#/#selector\(\s*([gs]etter:[^()]*)\)/#) { ("Selector(\"\($0.1)\")", "#selector replaced by its name") }
    replace(#/#selector\(/#) { _ in ("Selector(", "#selector replaced by Selector") }
    let supportsLinux = SwiftCode(text).text.contains(#/\bos\(Linux\)/#)
    replace(#/\bos\(iOS\)/#) { _ in
      supportsLinux ? nil : ("(os(iOS) || os(Linux))", "what is for iOS is for Linux, too")
    }
    replace(#/\bimport\s+(UIKit|CoreGraphics|QuartzCore|Foundation)\.[\w.]+/#) {
      ("import \($0.1)", "import of the whole of \($0.1)")
    }
  }

  /// - Parameter edit: Returns the replacement of a match, and a description of the change for `notes`. Nil leaves the
  ///   match as it is.
  private mutating func replace<Output>(_ pattern: Regex<Output>, by edit: (Output) -> (text: String, what: String)?) {
    let code = SwiftCode(text)
    apply(
      code.text.matches(of: pattern).compactMap { match in
        guard let (text, what) = edit(match.output) else { return nil }
        let offsets = code.offsets(of: code.text[match.range])
        notes.append(Note(line: code.line(at: offsets.lowerBound), what: what))
        return Edit(offsets: offsets, text: text)
      })
  }

  /// Replaces `override init()` by `required init()` in attributes and invalidation contexts. Without Objective-C, a
  /// layout can only create objects of its own classes if `init()` is required.
  private mutating func requireInitializers() {
    let code = SwiftCode(text)
    var classes: Set = [
      "UICollectionViewLayoutAttributes", "UICollectionViewLayoutInvalidationContext",
      "UICollectionViewFlowLayoutInvalidationContext",
    ]
    var bodies: [Range<Int>] = []
    for match in code.text.matches(of: #/\bclass\s+(\w+)\s*:\s*(\w+)[^{]*\{/#) where classes.contains(String(match.2)) {
      classes.insert(String(match.1))
      let start = code.offsets(of: match.output.0).upperBound
      bodies.append(start..<code.close(of: start - 1))
    }
    var edits: [Edit] = []
    let pattern = #/(\brequired\s+(?:\w+\s+)*)?\b(override\b[ \t]*)(\s*(?:\w+\s+)*)init\s*\(\s*\)/#
    for match in code.text.matches(of: pattern) {
      let offsets = code.offsets(of: match.output.2)
      guard bodies.contains(where: { $0.contains(offsets.lowerBound) }) else { continue }
      let isRequired = match.output.1 != nil || match.output.3.contains("required")
      let what = "override of init() \(isRequired ? "removed" : "replaced by required")"
      notes.append(Note(line: code.line(at: offsets.lowerBound), what: what))
      let word = match.output.2.replacing("override", with: "required")
      edits.append(Edit(offsets: offsets, text: isRequired ? "" : String(word)))
    }
    apply(edits)
  }

  /// Moves the members of extensions with overrides to the end of the class, because members of an extension cannot
  /// override without Objective-C.
  private mutating func moveOverrides() {
    let code = SwiftCode(text)
    let bytes = Array(text.utf8)
    var edits: [Edit] = []
    for match in code.text.matches(of: #/\bextension\s+(\w+)\s*(:[^{]*)?\{/#) {
      let head = code.offsets(of: match.output.0)
      let end = code.close(of: head.upperBound - 1)
      let body = String(decoding: bytes[head.upperBound..<end], as: UTF8.self)
      let name = String(match.output.1)
      guard SwiftCode(body).text.contains(#/\boverride\b/#), let place = Self.end(ofClass: name, in: code) else {
        continue
      }
      notes.append(
        Note(line: code.line(at: head.lowerBound), what: "extension with overrides moved into class \(name)"))
      // The extension itself stays, because it may declare that the class conforms to protocols.
      edits.append(Edit(offsets: head.upperBound..<end, text: ""))
      edits.append(Edit(offsets: place..<place, text: body))
    }
    apply(edits)
  }

  private static func end(ofClass name: String, in code: SwiftCode) -> Int? {
    let head = code.text.matches(of: #/\bclass\s+(\w+)[^{]*\{/#).first { $0.output.1 == name }
    return head.map { code.close(of: code.offsets(of: $0.output.0).upperBound - 1) }
  }

  private mutating func apply(_ edits: [Edit]) {
    var bytes = Array(text.utf8)
    for edit in edits.sorted(by: { $0.offsets.lowerBound > $1.offsets.lowerBound }) {
      bytes.replaceSubrange(edit.offsets, with: edit.text.utf8)
    }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
