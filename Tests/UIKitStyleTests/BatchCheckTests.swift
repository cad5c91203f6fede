import Testing
import UIKit

private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

/// Tests that batches of updates that do not fit the data source end the program: they raise an exception in UIKit.
@Suite struct BatchCheckTests {
  /// Shows lists with the numbers of items `before`, and updates them to the numbers `after`.
  fileprivate static func update(_ before: [Int], to after: [Int], _ changes: @escaping (UICollectionView) -> Void) {
    let numbers = Numbers()
    numbers.counts = before
    let view = UICollectionView(frame: phone, collectionViewLayout: UICollectionViewFlowLayout())
    view.dataSource = numbers
    view.layoutIfNeeded()
    numbers.counts = after
    view.performBatchUpdates { changes(view) }
    view.layoutIfNeeded()
    withExtendedLifetime(numbers) {}
  }

  private func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func anItemInsertedIntoAnotherSectionThanTheDataSourceSays() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BatchCheckTests.update([3, 3], to: [3, 4]) { $0.insertItems(at: [path(0, 0)]) }
    }
    #expect(message(result).contains("invalid number of items in section 0"))
  }

  @Test func aMoveBetweenSectionsWhoseNumbersStay() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BatchCheckTests.update([3, 3], to: [3, 3]) { $0.moveItem(at: path(0, 0), to: path(1, 0)) }
    }
    #expect(message(result).contains("invalid number of items in section 0"))
  }

  @Test func anEmptySectionThatNobodyInserted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BatchCheckTests.update([3], to: [3, 0]) { $0.reloadItems(at: [path(0, 0)]) }
    }
    #expect(message(result).contains("invalid number of sections"))
  }

  @Test func anItemThatIsReloadedAndDeleted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BatchCheckTests.update([3], to: [2]) {
        $0.deleteItems(at: [path(0, 1)])
        $0.reloadItems(at: [path(0, 1)])
      }
    }
    #expect(message(result).contains("attempt to delete and reload the same index path [0, 1]"))
  }

  @Test func anItemThatIsReloadedAndMoved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      BatchCheckTests.update([3], to: [3]) {
        $0.moveItem(at: path(0, 1), to: path(0, 0))
        $0.reloadItems(at: [path(0, 1)])
      }
    }
    #expect(message(result).contains("attempt to perform a delete and a move from the same index path [0, 1]"))
  }

  /// Sections move, come and go while items move between them.
  @Test func aBatchThatFitsIsAccepted() {
    Self.update([3, 4, 5, 6], to: [6, 2, 6, 4]) {
      $0.deleteSections([2])
      $0.moveSection(3, toSection: 0)
      $0.insertSections([1])
      $0.moveItem(at: path(0, 0), to: path(0, 2))
      $0.deleteItems(at: [path(3, 5)])
      $0.insertItems(at: [path(2, 0), path(2, 1), path(2, 2), path(2, 3)])
    }
    Self.update([3, 4], to: [9, 5]) {
      $0.reloadSections([0])
      $0.insertItems(at: [path(1, 4)])
    }
  }
}
