import Foundation
import Judging
import Measurements

/// Reads damaged files one after another. It writes each file to `inputPath` before reading it.
struct FuzzChild {
  var reader: FileReader
  /// The path at which the parent finds the file that crashed this process.
  var inputPath: String

  static let secondsLimit: UInt32 = 10
  private static let byteLimit: rlim_t = 2 << 30

  /// Reads the corpus and then `count` damaged files. Prints the numbers of files that were read and refused.
  func run(seed: UInt64, count: Int) throws {
    var limit = rlimit(rlim_cur: Self.byteLimit, rlim_max: Self.byteLimit)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    let corpus = try Corpus.files(of: reader)
    precondition(!corpus.isEmpty, "no file of this kind to damage")
    let descriptor = open(inputPath, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    var mutator = Mutator(seed: seed)
    var readCount = 0
    func take(_ file: Data, pick: UInt64) {
      ftruncate(descriptor, 0)
      _ = file.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      alarm(Self.secondsLimit)
      if (try? reader.read(file, pick: pick)) != nil { readCount += 1 }
      alarm(0)
    }
    for (index, file) in corpus.enumerated() { take(file, pick: seed &+ UInt64(index)) }
    for _ in 0..<count {
      let file = corpus[mutator.below(corpus.count)]
      take(mutator.damage(file, with: corpus[mutator.below(corpus.count)]), pick: UInt64(mutator.below(100_000)))
    }
    unlink(inputPath)
    print(readCount, corpus.count + count - readCount)
  }
}

/// Undamaged files of each kind, and files that once crashed a reader.
enum Corpus {
  /// The undamaged documents, for commands that need a second document.
  private static let documents = ((try? files(of: .document)) ?? []).compactMap { try? RunDocument(contentsOf: $0) }
  private static let nights = ((try? files(of: .night)) ?? []).compactMap { try? Night(reading: $0) }

  /// A program that was linked with relocations. The link map in the corpus describes this program.
  static let program = ((try? files(of: .elf)) ?? []).last.map { [UInt8]($0) } ?? []

  static func document(_ number: UInt64) -> RunDocument { documents[Int(number % UInt64(documents.count))] }

  static var night: Night { nights[0] }

  static func files(of reader: FileReader) throws -> [Data] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Corpus/\(reader.rawValue)"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))
    }
  }
}
