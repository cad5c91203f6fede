import FoundationEssentials
import Glibc

/// The worker's ends of the two pipes for requests and answers.
struct WorkerPipes {
  private let input = STDIN_FILENO
  private let output: Int32

  /// Keeps a copy of stdout for itself and redirects stdout to stderr, so that a scenario that prints does
  /// no harm.
  init() throws(PassError) {
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw Self.failure("stdout cannot be copied") }
  }

  /// Returns fewer bytes at the end of the stream.
  func read(_ count: Int) throws(PassError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let chunk = try chunk(count - bytes.count)
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
    return bytes
  }

  /// Everything up to the end of the stream, or the first line feed.
  func readLine() throws(PassError) -> [UInt8] {
    var line: [UInt8] = []
    while true {
      let chunk = try chunk(65_536)
      line += chunk
      if chunk.isEmpty || chunk.contains(UInt8(ascii: "\n")) { return line }
    }
  }

  func write(_ bytes: some Collection<UInt8>) throws(PassError) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("the answer cannot be written") }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns no bytes at the end of the stream.
  private func chunk(_ count: Int) throws(PassError) -> [UInt8] {
    while true {
      var length = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        length = Glibc.read(input, buffer.baseAddress, count)
        initialized = max(0, length)
      }
      if length >= 0 { return chunk }
      if errno != EINTR { throw Self.failure("the request cannot be read") }
    }
  }

  /// - Parameter duty: The step that failed and set `errno`.
  private static func failure(_ duty: String) -> PassError { PassError("\(duty): \(String(cString: strerror(errno)))") }
}
