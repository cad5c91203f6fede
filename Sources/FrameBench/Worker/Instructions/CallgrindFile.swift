import FoundationEssentials

/// The parts of a file that callgrind wrote with `--combine-dumps=yes`, if they are marks of frames.
///
/// Three lines of a part are of interest in callgrind's format (valgrind's manual, "Callgrind Format
/// Specification"): `creator: callgrind-3.19.0`, `desc: Trigger: Client Request: NAME` and `totals: N`.
struct CallgrindFile: Equatable {
  var version: String?
  var counts: [MarkedCount] = []

  /// - Throws: `InstructionCountError.unreadable`.
  init(_ data: Data) throws(InstructionCountError) {
    let creator = Array("creator: callgrind-".utf8)
    let trigger = Array("desc: Trigger: ".utf8)
    let request = Array("Client Request: ".utf8)
    let totals = Array("totals: ".utf8)
    var mark: InstructionMark?
    var problem: String?
    data.withUnsafeBytes { bytes in
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        if line.starts(with: totals) {
          guard let open = mark else { continue }
          guard let count = Int(Self.text(line.dropFirst(totals.count))), count >= 0 else {
            problem = "no count in \"\(Self.text(line.prefix(60)))\""
            return
          }
          counts.append(MarkedCount(mark: open, count: count))
          mark = nil
        } else if line.starts(with: trigger) {
          let reason = line.dropFirst(trigger.count)
          mark =
            reason.starts(with: request)
            ? InstructionMark(name: Self.text(reason.dropFirst(request.count))) : nil
        } else if version == nil, line.starts(with: creator) {
          version = Self.text(line.dropFirst(creator.count))
        }
      }
    }
    if let problem { throw .unreadable(problem) }
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }
}

/// Why callgrind's file does not tell how many instructions a frame takes.
package enum InstructionCountError: Error, Equatable, CustomStringConvertible {
  case unreadable(String)
  /// A line that is missing or misplaced.
  case malformed(String)

  package var description: String {
    switch self {
    case .unreadable(let what): "callgrind's file cannot be read: \(what)"
    case .malformed(let what): "callgrind's file does not fit the frames: \(what)"
    }
  }
}
