import FrameBench
import NIOCore
import Statistics

extension Suite {
  /// Adds benchmarks of swift-nio: ByteBuffer compared with an array of bytes.
  mutating func addByteBuffers() {
    add(
      "messages", summary: "Messages are written into a buffer, each behind its number and its length, and read back.",
      sizes: [10, 1_000], tags: ["nio"], options: .init(frameCount: 300, warmUpFrameCount: 30),
      strategies: [
        "array": { Self.frame(ByteArray(), Message.some($0.size, seed: $0.seed)) },
        "byteBuffer": { Self.frame(ByteBuffer(), Message.some($0.size, seed: $0.seed)) },
      ])
  }

  private static func frame(_ start: some MessageBuffer, _ messages: [Message]) -> Scenario.FrameBody {
    var buffer = start
    return { _, timer in
      timer.measure(Phase("write")) { buffer.write(messages) }
      let copies = timer.measure(Phase("read")) { buffer.readMessages() }
      timer.endFrame()
      return copies.checksum
    }
  }
}

private struct Message {
  var number: UInt64
  var text: String

  static func some(_ count: Int, seed: UInt64) -> [Message] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      let text = String(repeating: "brown fox ", count: Int.random(in: 1...10, using: &random))
      return Message(number: random.next(), text: text)
    }
  }
}

extension [Message] {
  fileprivate var checksum: UInt64 {
    var checksum = Checksum()
    for message in self {
      checksum.combine(message.number)
      for byte in message.text.utf8 { checksum.combine(whole: UInt64(byte)) }
    }
    return checksum.value
  }
}

/// A buffer of messages. Numbers are big-endian, as on networks.
private protocol MessageBuffer {
  mutating func removeAll()
  mutating func append(_ message: Message)
  /// Reads and removes the next message. Returns nil at the end.
  mutating func next() -> Message?
}

extension MessageBuffer {
  mutating func write(_ messages: [Message]) {
    removeAll()
    for message in messages { append(message) }
  }

  mutating func readMessages() -> [Message] {
    var messages: [Message] = []
    while let message = next() { messages.append(message) }
    return messages
  }
}

extension ByteBuffer: MessageBuffer {
  fileprivate mutating func removeAll() { clear() }

  fileprivate mutating func append(_ message: Message) {
    writeInteger(message.number)
    writeInteger(UInt32(message.text.utf8.count))
    writeString(message.text)
  }

  fileprivate mutating func next() -> Message? {
    guard let number = readInteger(as: UInt64.self), let length = readInteger(as: UInt32.self),
      let text = readString(length: Int(length))
    else { return nil }
    return Message(number: number, text: text)
  }
}

/// The buffer that a program without swift-nio would use.
private struct ByteArray: MessageBuffer {
  private var bytes: [UInt8] = []
  private var position = 0

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    position = 0
  }

  mutating func append(_ message: Message) {
    append(message.number)
    append(UInt32(message.text.utf8.count))
    bytes.append(contentsOf: message.text.utf8)
  }

  mutating func next() -> Message? {
    guard let number = integer(UInt64.self), let length = integer(UInt32.self).map(Int.init),
      length <= bytes.count - position
    else { return nil }
    defer { position += length }
    return Message(number: number, text: String(decoding: bytes[position..<position + length], as: UTF8.self))
  }

  private mutating func append(_ integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    guard MemoryLayout<Integer>.size <= bytes.count - position else { return nil }
    defer { position += MemoryLayout<Integer>.size }
    return Integer(bigEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: type) })
  }
}
