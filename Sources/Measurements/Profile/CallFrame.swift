/// A function on a stack.
package struct CallFrame: Hashable, Sendable {
  /// Whose code it is.
  package enum Origin: String, Sendable, CaseIterable {
    /// A phase of the frame, as the scenario names it; no function.
    case phase
    /// The program: engine and scenario.
    case program
    /// The standard library of Swift, as far as it was compiled into the program or lies in its library.
    case standardLibrary
    /// The C library, the runtime of Swift, the allocator and the kernel's entry.
    case system
    /// What measures.
    case harness
  }

  /// For a person: demangled, without types of parameters.
  package var function: String
  /// As far as it is known from the compiler.
  package var file: String?
  /// Counted from 1; 0 or nil where the compiler said nothing.
  package var line: Int?
  /// Decides the colour in pictures, and what `ProfileStack.site` takes for the program's own.
  package var origin: Origin
  /// Name of the library; nil for the program.
  package var library: String?

  package init(
    function: String, file: String? = nil, line: Int? = nil, origin: Origin = .program,
    library: String? = nil
  ) {
    self.function = function
    self.file = file
    self.line = line
    self.origin = origin
    self.library = library
  }

  /// For a cell of a table.
  package var shortFunction: String { function.count <= 72 ? function : function.prefix(71) + "…" }

  /// Whether the compiler made it up to pass a call on, as the demangler says.
  var isForwarder: Bool {
    function.hasPrefix("partial apply forwarder for ") || function.hasPrefix("reabstraction thunk ")
  }

  /// `Layout.swift:71`; nil where the compiler said nothing.
  package var position: String? {
    guard let file, let line, line > 0 else { return nil }
    return "\(file.split(separator: "/").last.map(String.init) ?? file):\(line)"
  }

  /// The whole path, for a tool that opens it.
  package var fullPosition: String? {
    guard let file, let line, line > 0 else { return nil }
    return "\(file):\(line)"
  }
}

/// A stack and what it stands for.
package struct ProfileStack: Hashable, Sendable {
  /// From the outermost to the innermost.
  package var frames: [CallFrame]
  /// Samples, or allocations.
  package var count: Int
  /// Of allocations, as asked for.
  package var bytes: Int
  /// Numbers of recorded frames; of allocations.
  package var firstFrame: Int
  /// Frames that allocate here.
  package var frameCount: Int
  /// Allocations in the frame that has most of them.
  package var mostInFrame: Int

  /// Of samples only `frames` and `count` are known: the rest keeps its defaults.
  package init(
    frames: [CallFrame], count: Int, bytes: Int = 0, firstFrame: Int = 0, frameCount: Int = 1,
    mostInFrame: Int = 1
  ) {
    self.frames = frames
    self.count = count
    self.bytes = bytes
    self.firstFrame = firstFrame
    self.frameCount = frameCount
    self.mostInFrame = mostInFrame
  }

  /// Where to look for the reason: the innermost place in the program itself, or otherwise the innermost of
  /// all.
  package var site: CallFrame? {
    frames.last { $0.origin == .program && $0.position != nil }
      ?? frames.last { $0.origin == .program } ?? frames.last
  }
}
