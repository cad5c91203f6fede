import Dynamics

// Options can be set at any time; invalid ones are reported when items are placed.
extension FlowLayout {
  /// The current options. A batch of updates may have replaced `sizeForItem`.
  public final var options: FlowOptions { flow.pointee.options }

  /// Size of every item, points, unless `options.sizeForItem` says otherwise.
  public final var itemSize: Size {
    get { options.itemSize }
    set { changeOptions { $0.itemSize = newValue } }
  }

  /// Distance between lines, points.
  public final var minimumLineSpacing: Double {
    get { options.minimumLineSpacing }
    set { changeOptions { $0.minimumLineSpacing = newValue } }
  }

  /// Distance between the items of a line, points.
  public final var minimumInteritemSpacing: Double {
    get { options.minimumInteritemSpacing }
    set { changeOptions { $0.minimumInteritemSpacing = newValue } }
  }

  /// Distance between the items of a section and the edges of the content, or the neighbouring sections.
  public final var sectionInset: EdgeInsets {
    get { options.sectionInset }
    set { changeOptions { $0.sectionInset = newValue } }
  }

  /// Changes any of the options; the items are placed again before the next query.
  public final func changeOptions(_ change: (inout FlowOptions) -> Void) {
    change(&flow.pointee.options)
    contentChanged()
  }
}
