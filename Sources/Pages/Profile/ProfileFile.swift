import Measurements
import TextFormat

/// The files of a profile, in one folder.
package enum ProfileFile: String, Sendable, CaseIterable {
  case summary = "profile.md"
  case cpuPicture = "cpu.svg"
  case cpuSpeedscope = "cpu.speedscope.json"
  case cpuFolded = "cpu.folded"
  case allocationsText = "allocations.txt"
  case allocationsPicture = "allocations.svg"
  case allocationsFolded = "allocations.folded"
  case allocatedBytesFolded = "allocated-bytes.folded"
  case timeline = "timeline.json"
  case callgrind = "callgrind.out"
  case difference = "difference.svg"
  case differenceFolded = "difference.folded"
}

extension FrameProfile {
  /// All files but callgrind's, which is made elsewhere.
  /// - Parameters:
  ///   - allocationDifference: A section of the page.
  ///   - exporter: The program, `springbench@0.1.0`.
  package func files(
    environment: Environment?, difference: DifferentialProfile? = nil,
    allocationDifference: [Block] = [], exporter: String
  ) -> [(file: ProfileFile, text: String)] {
    var files: [(ProfileFile, String)] = [
      (
        .summary,
        ProfileSummary(
          self, environment: environment, difference: difference, allocationDifference: allocationDifference
        ).blocks.markdown()
      )
    ]
    if let cpu { files += cpuFiles(cpu, exporter: exporter) }
    if let allocations { files += allocationFiles(allocations) }
    if let timeline { files.append((.timeline, ChromeTrace(timeline).render())) }
    if let difference {
      files += [(.difference, difference.flameGraph()), (.differenceFolded, difference.folded())]
    }
    return files
  }

  private func cpuFiles(_ cpu: SampledProfile, exporter: String) -> [(ProfileFile, String)] {
    let tree = CallTree(root: id.description, stacks: cpu.stacks, value: cpu.nanoseconds)
    let picture = FlameGraph(
      tree, title: "\(id): time of a frame",
      subtitle:
        "\(TimeUnit.text(cpu.frameNanoseconds)) a frame, \(Format.integer(cpu.sampleCount)) samples of \(frameText)",
      text: TimeUnit.text)
    return [
      (.cpuPicture, picture.render()),
      (
        .cpuSpeedscope,
        Speedscope(name: "\(id)", exporter: exporter).render(
          cpu.stacks, unit: "nanoseconds", value: cpu.nanoseconds)
      ),
      (.cpuFolded, FoldedStacks.render(cpu.stacks) { $0.count }),
    ]
  }

  private func allocationFiles(_ allocations: AllocationProfile) -> [(ProfileFile, String)] {
    let text = (ProfileFile.allocationsText, allocations.text(name: "\(id)"))
    guard allocations.count > 0 else { return [text] }
    let tree = CallTree(root: id.description, stacks: allocations.stacks) { Double($0.count) }
    let picture = FlameGraph(
      tree, title: "\(id): allocations", subtitle: "\(allocations.verdict); widths are counts",
      text: { Format.plural(Int($0.rounded()), "allocation") })
    return [
      text, (.allocationsPicture, picture.render()),
      (.allocationsFolded, FoldedStacks.render(allocations.stacks) { $0.count }),
      (.allocatedBytesFolded, FoldedStacks.render(allocations.stacks) { $0.bytes }),
    ]
  }
}
