import Foundation

/// Finds the child processes of a process, for tests that stop the parent process while it works.
enum ChildTable {
  /// - Returns: The ids of the children of `parent` that have not ended. The kernel lists them thread by thread.
  static func children(of parent: Int32) -> [Int32] {
    let tasks = "/proc/\(parent)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.flatMap { thread in
      let line = try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)
      return (line ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    }.filter(isRunning)
  }

  /// Returns whether a process exists and has not ended. A zombie has ended.
  static func isRunning(_ process: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      // The process name, in parentheses, may itself contain parentheses and spaces.
      let end = text.lastIndex(of: ")"), let state = text[text.index(after: end)...].split(separator: " ").first
    else { return false }
    return state != "Z" && state != "X"
  }

  /// Waits until a condition becomes true, for up to ten minutes. Returns whether the condition became true.
  static func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<12_000 {
      if condition() { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return condition()
  }
}
