import CollectionLayout
import FrameBench
import Scenarios
import UIKit

extension Suite {
  /// The scenarios of this repository's catalogue that use the module UIKit.
  package static var uikit: Suite {
    // `Suite.standard` has the same name, so that the two suites form one catalogue.
    var suite = Suite("springbench")
    suite.add(
      "springs-uikit", summary: "The list of springs by its articles' own code, which uses the module UIKit.",
      strategies: ArticleList.allCases, sizes: [100, 1_000, 10_000],
      options: .init(
        quickSizes: [100, 1_000], frameCount: 60, warmUpFrameCount: 20, playsTraces: true,
        claims: SpringyObjects.claims, stretches: SpringyList.stretches, warnings: SpringyList.warnings,
        memoryEstimate: ArticleList.memoryEstimate)
    ) { list, context in
      let trace = try SpringyList.placement(context).trace
      return LayoutFrames(list.layout(), context.size, UIScreen.main.bounds.size) { _ in nil }.body(trace)
    }
    return suite
  }
}

/// The two layouts of objc.io's article on springy lists. The second is compared with the first, the reference.
enum ArticleList: String, CaseIterable {
  case naive, tiled

  /// The bytes that a row needs: attributes, a behavior, and their entries in arrays and dictionaries.
  private static let rowBytes = 2_048

  static func memoryEstimate(_ context: ScenarioContext) -> Int {
    guard context.strategy == naive.rawValue else { return 0 }
    let (bytes, overflow) = context.size.multipliedReportingOverflow(by: rowBytes)
    return overflow ? .max : bytes
  }

  /// Returns a layout with the same rows as the scenario `springs`.
  func layout() -> UICollectionViewFlowLayout {
    let layout: UICollectionViewFlowLayout =
      switch self {
      case .naive: SpringyLayout()
      case .tiled: TiledLayout()
      }
    let rows = FlowOptions.messages
    layout.itemSize = CGSize(width: rows.itemSize.width, height: rows.itemSize.height)
    layout.minimumInteritemSpacing = rows.minimumInteritemSpacing
    layout.minimumLineSpacing = rows.minimumLineSpacing
    let inset = rows.sectionInset
    layout.sectionInset = UIEdgeInsets(top: inset.top, left: inset.left, bottom: inset.bottom, right: inset.right)
    return layout
  }
}
