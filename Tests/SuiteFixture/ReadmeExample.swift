import Foundation
import FrameBench

extension FixtureSuite {
  /// Adds the example of the README, and the same example without `endFrame()`.
  static func addExampleOfTheReadme(to suite: inout Suite) {
    let json = Data("{\"titles\": [\"one\", \"two\"]}".utf8)
    suite.add("list", sizes: [1_000]) { context in
      var engine = MyEngine(itemCount: context.size)  // set-up, not measured
      return { frame, timer in
        timer.measure(.solve) { engine.step(by: frame.timestep) }
        timer.endFrame()  // the checksum is not part of the frame
        return engine.checksum
      }
    }
    suite.measure("decode", throughput: .bytes(json.count)) { try JSONDecoder().decode(Feed.self, from: json) }
    suite.add("unended", sizes: [1_000]) { context in
      var engine = MyEngine(itemCount: context.size)
      return { frame, timer in
        timer.measure(.solve) { engine.step(by: frame.timestep) }
        return engine.checksum
      }
    }
  }
}

private struct Feed: Decodable { var titles: [String] }

private struct MyEngine {
  private var values: [Double]

  init(itemCount: Int) { values = Array(repeating: 1, count: itemCount) }

  mutating func step(by timestep: Double) { for index in values.indices { values[index] += timestep } }

  var checksum: UInt64 { values.reduce(0) { ($0 &* 31) ^ $1.bitPattern } }
}
