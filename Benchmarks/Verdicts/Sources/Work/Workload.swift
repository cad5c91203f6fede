/// A scroll to measure. All tools that judge changes play the same workloads.
public struct Workload: Sendable {
  /// The name. Most names contain the approximate duration of a frame.
  public let name: String
  let postsOnScreen: Int
  /// Whether new posts arrive in every tenth frame.
  let isLive: Bool

  public static let all = [
    Workload(name: "scroll-200ns", postsOnScreen: 1, isLive: false),
    Workload(name: "scroll-1us", postsOnScreen: 8, isLive: false),
    Workload(name: "scroll-5us", postsOnScreen: 44, isLive: false),
    Workload(name: "scroll-50us", postsOnScreen: 450, isLive: false),
    Workload(name: "scroll-500us", postsOnScreen: 4_200, isLive: false),
    Workload(name: "scroll-5ms", postsOnScreen: 40_000, isLive: false),
    Workload(name: "live", postsOnScreen: 1, isLive: true),
  ]

  public static func named(_ name: String) -> Workload? { all.first { $0.name == name } }
}
