import Foundation
import Testing

@testable import Measurements

/// Tests that scenarios compute the same bits on every processor. Otherwise two machines would report changed behavior.
/// To imitate older processors, GLIBC_TUNABLES makes glibc ignore some instructions of this one.
@Suite struct ProcessorTests {
  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  static let lessCapable = ["-FMA", "-FMA,-FMA4,-AVX,-AVX2,-AVX2_Usable,-AVX512F,-SSE4_1,-SSE4_2"]

  @Test(.enabled(if: isOptimized, "what a debug build computes, nobody compares"))
  func everyScenarioComputesTheSameBitsOnLessCapableProcessors() async throws {
    let expected = try await checksums([:])
    #expect(expected.count >= 20)
    for capabilities in Self.lessCapable {
      let found = try await checksums(["GLIBC_TUNABLES": "glibc.cpu.hwcaps=\(capabilities)"])
      #expect(found == expected, "without \(capabilities)")
    }
  }

  /// Returns the checksums of benchmarks with 10 or 100 items, keyed by id.
  private func checksums(_ environment: [String: String]) async throws -> [String: String] {
    let folder = try TemporaryFolder()
    let process = try await FixtureProcess.run(
      ["run", "--filter", "/100?$", "--frames", "20", "--warm-up", "1", "--runs", "1", "--output", folder.path],
      of: "spring-benchmarks", environment: environment)
    #expect(process.status == 0, "\(process.error)")
    return Dictionary(
      uniqueKeysWithValues: try document(in: folder).benchmarks.map { ($0.id.description, $0.checksum) })
  }
}
