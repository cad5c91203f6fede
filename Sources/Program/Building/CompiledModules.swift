import Foundation

/// The Swift modules in a build folder, with what each was compiled from, as the compiler listed it.
///
/// SwiftPM compiles a module again only if its own sources changed, or the modules and objects that its manifest
/// names. It does not see a change of a header that only Swift reads, or of a function that is inlined from a module
/// further down; the compiler's list has both.
struct CompiledModules {
  /// SwiftPM's build folder, free of symbolic links.
  var scratch: String

  private struct Module {
    /// The compiler writes it every time, but modules and objects only if they change.
    var list: String
    var outputs: Set<String> = []
    var inputs: Set<String> = []
    var isOutdated = false
  }

  /// Removes each module that was compiled before something that it was compiled from changed, and those that were
  /// compiled from it, so that the next build compiles them.
  ///
  /// - Returns: Whether there was any.
  func removeOutdated() throws(RevisionError) -> Bool {
    var modules = self.modules()
    var times = ModificationTimes()
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for index in modules.indices {
      let compiled = times[modules[index].list] ?? .min
      // After the clock was set back, what changed since looks older than it is.
      modules[index].isOutdated =
        compiled > now.nanoseconds || modules[index].inputs.contains { times[$0] ?? .max > compiled }
    }
    var count = 0
    repeat {
      count = modules.count(where: \.isOutdated)
      let outdated = modules.filter(\.isOutdated).reduce(into: Set()) { $0.formUnion($1.outputs) }
      for index in modules.indices where !modules[index].inputs.isDisjoint(with: outdated) {
        modules[index].isOutdated = true
      }
    } while count < modules.count(where: \.isOutdated)
    for module in modules where module.isOutdated {
      for path in module.outputs.union([module.list]) where unlink(path) != 0 && errno != ENOENT {
        throw .file(path, errno)
      }
    }
    return count > 0
  }

  private func modules() -> [Module] {
    let manager = FileManager.default
    let folder = "\(scratch)/release"
    return ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).flatMap { target in
      guard target.hasSuffix(".build") else { return [Module]() }
      return ((try? manager.contentsOfDirectory(atPath: "\(folder)/\(target)")) ?? []).compactMap { name in
        name.hasSuffix(".d") ? module("\(folder)/\(target)/\(name)") : nil
      }
    }
  }

  /// Nil where the list is not of the Swift compiler.
  private func module(_ list: String) -> Module? {
    let text = String(decoding: FileManager.default.contents(atPath: list) ?? Data(), as: UTF8.self)
    var module = Module(list: list)
    // Every output has a line, and most often they all name the same inputs.
    var inputs: Set<Substring> = []
    for line in text.split(separator: "\n") {
      guard let colon = line.firstRange(of: " : ") else { continue }
      module.outputs.formUnion(Self.paths(line[..<colon.lowerBound]).filter { $0.hasPrefix(scratch + "/") })
      inputs.insert(line[colon.upperBound...])
    }
    module.inputs = inputs.reduce(into: []) { $0.formUnion(Self.paths($1)) }
    return module.outputs.isEmpty ? nil : module
  }

  /// Escaped as in a makefile.
  private static func paths(_ text: Substring) -> [String] {
    var paths: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in text.utf8 {
      if !isEscaped, byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "$") {
        isEscaped = true
      } else if !isEscaped, byte == UInt8(ascii: " ") {
        paths.append([])
      } else {
        paths[paths.count - 1].append(byte)
        isEscaped = false
      }
    }
    return paths.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Looked up once each.
private struct ModificationTimes {
  private var known: [String: Int?] = [:]

  /// Nanoseconds since 1970; nil if nothing is there.
  subscript(path: String) -> Int? {
    mutating get {
      if let time = known[path] { return time }
      var status = stat()
      let time = stat(path, &status) == 0 ? status.st_mtim.nanoseconds : nil
      known[path] = .some(time)
      return time
    }
  }
}

extension timespec {
  fileprivate var nanoseconds: Int { tv_sec * 1_000_000_000 + tv_nsec }
}
