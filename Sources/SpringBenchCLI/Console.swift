import Foundation

/// The streams of the process.
struct Console: Sendable {
  var standardOutput: Int32 = STDOUT_FILENO
  var standardError: Int32 = STDERR_FILENO

  /// Writes to stdout. A reader that has gone is no error: it has seen enough.
  func write(_ text: String) throws(RunError) {
    let problem = FileDescriptor(standardOutput).write(Array(text.utf8))
    if let problem, problem != EPIPE {
      throw RunError("stdout cannot be written: \(String(cString: strerror(problem)))")
    }
  }

  /// One line on stderr, whatever line feeds a value brought in.
  func report(_ message: String) {
    FileDescriptor(standardError).write(Array("springbench: error: \(Console.oneLine(message))\n".utf8))
  }

  /// One line on stderr about what does not stop the command.
  func warn(_ message: String) { writeError("springbench: warning: \(Console.oneLine(message))\n") }

  func writeError(_ text: String) { FileDescriptor(standardError).write(Array(text.utf8)) }

  var showsProgress: Bool { isatty(standardError) == 1 }
  var isOutputTerminal: Bool { isatty(standardOutput) == 1 }

  static func oneLine(_ text: String) -> String {
    String(
      text.map { character in
        let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return character.isNewline || isControl ? " " : character
      })
  }
}

/// An open file of this process, written whole.
struct FileDescriptor {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// The error number of what ended the writing; nil where all was written.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = rest.dropFirst(count)
      }
      return nil
    }
  }

  /// Everything up to the end of the file, or the first line feed.
  func readLine() -> [UInt8] {
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(number, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return line }
      line += chunk[..<count]
      if chunk[..<count].contains(UInt8(ascii: "\n")) { return line }
    }
  }
}
