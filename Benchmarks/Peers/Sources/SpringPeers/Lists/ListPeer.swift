import CBareLoop
import CollectionLayout
import Dynamics
import Scenarios

/// A list that plays the frames of a scroll. `play` contains the loop over frames, so the cost of calls is not
/// measured.
protocol ListPeer: AnyObject {
  func play(_ frames: ArraySlice<ScrollTrace.Frame>)

  /// The rows that were visible in the last frame: their indices and centers, points.
  var shown: [(index: Int, center: Point)] { get }

  /// The number of steps that all springs together have made so far. Nil if they are not counted.
  var evaluationCount: Int? { get }
}

extension ListPeer { var evaluationCount: Int? { nil } }

enum ListContestant: String, CaseIterable, Hashable, Sendable {
  case engine, bareLoop

  var name: String {
    switch self {
    case .engine: "this engine"
    case .bareLoop: "bare C loop"
    }
  }

  /// Sets up a list at the scroll offset of the first frame.
  func make(_ scene: ListScene, at first: ScrollTrace.Frame) throws -> any ListPeer {
    switch self {
    case .engine: try EngineList(scene, at: first)
    case .bareLoop: BareListPeer(scene, at: first)
    }
  }
}

/// A layout of this engine in a collection view, as in the scenario `springs`.
final class EngineList: ListPeer {
  private let view: CollectionView
  private let layout: SpringLayout

  init(_ scene: ListScene, at first: ScrollTrace.Frame) throws {
    layout =
      switch scene {
      case .naive: try NaiveSpringLayout(flow: SpringyListParts.flow)
      case .tiled: try TiledSpringLayout(flow: SpringyListParts.flow)
      }
    view = try CollectionView(
      layout: layout, itemCount: scene.count, size: ListScene.viewSize, contentOffset: first.contentOffset)
  }

  func play(_ frames: ArraySlice<ScrollTrace.Frame>) {
    for frame in frames {
      view.scroll(to: frame.contentOffset, touch: Point(x: frame.touchX, y: frame.touchY))
      view.step(by: 1 / 60)
      do { try view.prepareLayout() } catch { preconditionFailure("\(error)") }
      _ = view.visibleAttributes()
    }
  }

  var evaluationCount: Int? { layout.springs.evaluationCount }

  var shown: [(index: Int, center: Point)] { view.visibleAttributes().map { ($0.index, $0.center) } }
}

/// A list in plain C, without a view or a layout. Its rows move like those of `EngineList`.
final class BareListPeer: ListPeer {
  private let isTiled: Bool
  private var list: BareList
  private let memory: UnsafeMutablePointer<Double>
  private let rows: UnsafeMutablePointer<BareRow>
  private var rowCount = 0
  private var offset: Double
  /// The distance from the view within which rows are simulated, points.
  private let padding = SpringOptions().padding
  /// A row counts as visible if it overlaps the view by more points than this.
  private let hair = FlowLayout.visibilityTolerance

  init(_ scene: ListScene, at first: ScrollTrace.Frame) {
    let springs = SpringOptions()
    let matrix = SpringMatrix(frequency: springs.frequency, damping: springs.damping, timestep: 1 / 60)
    let length = (scene.count + 7) / 8 * 8 + 24
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * length, alignment: 64).bindMemory(
      to: Double.self, capacity: 2 * length)
    memory.initialize(repeating: 0, count: 2 * length)
    (self.memory, offset) = (memory, first.contentOffset)
    rows = .allocate(capacity: scene.count)
    list = BareList(
      displacement: memory, velocity: memory + length, count: scene.count, first: 0, end: scene.count,
      first_anchor: SpringyListParts.firstCenter.y, pitch: SpringyListParts.pitch,
      inverse_pitch: 1 / SpringyListParts.pitch, anchor_x: SpringyListParts.firstCenter.x,
      height: SpringyListParts.flow.itemSize.height, m00: matrix.m00, m01: matrix.m01, m10: matrix.m10, m11: matrix.m11,
      inverse_resistance: 1 / springs.scrollResistance)
    isTiled = if case .tiled = scene { true } else { false }
    if isTiled { enter(delta: 0, BareTouch(x: 0, y: 0)) }
  }

  deinit {
    memory.deallocate()
    rows.deallocate()
  }

  private func enter(delta: Double, _ touch: BareTouch) {
    let bottom = offset + ListScene.viewSize.height
    bare_list_show(&list, offset + hair - padding, bottom - hair + padding, delta, touch)
  }

  func play(_ frames: ArraySlice<ScrollTrace.Frame>) {
    for frame in frames {
      let delta = frame.contentOffset - offset
      bare_list_step(&list, delta, BareTouch(x: frame.touchX, y: offset + frame.touchY))
      offset = frame.contentOffset
      if isTiled { enter(delta: delta, BareTouch(x: frame.touchX, y: offset + frame.touchY)) }
      rowCount = bare_list_visible(&list, offset + hair, offset + ListScene.viewSize.height - hair, rows)
    }
  }

  var shown: [(index: Int, center: Point)] {
    (0..<rowCount).map { (Int(rows[$0].index), Point(x: rows[$0].x, y: rows[$0].y)) }
  }
}
