import Foundation
import Testing

@testable import Linking

/// Tests reading ELF images. The shell is an ELF file on every Linux system.
struct ELFImageTests {
  private let own = [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: "/bin/sh"))) ?? Data())

  @Test func codeIsInAnExecutableSegment() throws {
    let image = try #require(ELFImage(own))
    let text = try #require(image.section(".text"))
    let segment = try #require(image.segments.first { $0.bytes.contains(text.bytes.lowerBound) })
    let header = segment.header
    #expect(header.p_flags & 1 == 1)
    #expect(header.p_vaddr <= text.address && text.address < header.p_vaddr + header.p_memsz)
    let end = try #require(ELFImage.loadedEnd(start: own, fileSize: own.count))
    #expect(end < own.count && end >= segment.bytes.upperBound)
  }

  @Test func filesThatAreCutOffOrWildAreRefused() {
    #expect(ELFImage([]) == nil)
    #expect(ELFImage(Array("#!/bin/sh\n".utf8)) == nil)
    for length in [63, 64, 70, 4_096, own.count / 2] { #expect(ELFImage(Array(own.prefix(length))) == nil) }
    // Overwrites the offset of the program headers (byte 32 of the ELF header) and of the section headers (byte 40).
    for place in [32, 40] {
      var wild = own
      for index in place..<(place + 8) { wild[index] = 0xff }
      #expect(ELFImage(wild) == nil)
    }
  }

  @Test func programsDifferByWhatIsLoadedAlone() throws {
    let image = try #require(ELFImage(own))
    #expect(ProgramIdentity.areSame(own, own))
    var other = own
    if let identity = image.section(".note.gnu.build-id") { other[identity.bytes.upperBound - 1] ^= 1 }
    other[own.count - 1] ^= 1
    #expect(ProgramIdentity.areSame(own, other))
    for name in [".text", ".rodata"] {
      var changed = own
      let section = try #require(image.section(name))
      changed[section.bytes.lowerBound + section.bytes.count / 2] ^= 1
      #expect(!ProgramIdentity.areSame(own, changed))
    }
    #expect(!ProgramIdentity.areSame([1, 2], [1, 2]))
  }
}
