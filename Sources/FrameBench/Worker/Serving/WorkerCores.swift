import CProcessControl
import FoundationEssentials

/// The cores that the threads of a worker share while it measures.
package struct WorkerCores: Equatable {
  /// The cores to measure on. The first is the core that the request names.
  let measuring: [Int]
  /// The cores that this process may use besides `measuring`.
  let spare: [Int]

  /// - Parameters:
  ///   - count: The number of cores that the scenario requests. If fewer cores are allowed, all of them are used.
  ///   - processor: Returns a name of the physical core to which a core belongs. Two cores may be hardware threads of
  ///     one physical core.
  init(_ count: Int, first: Int, allowed: [Int], processor: (Int) -> String = Self.processor(of:)) {
    // The last cores come first, because the system's own work tends to run on the first ones.
    let others = allowed.filter { $0 != first }.reversed()
    guard count > 1 else {
      (measuring, spare) = ([first], Array(others))
      return
    }
    // Two hardware threads of one physical core slow each other down, so one of each physical core is chosen first.
    var processors: Set = [processor(first)]
    let apart = others.filter { processors.insert(processor($0)).inserted }
    let ordered = [first] + apart + others.filter { !apart.contains($0) }
    measuring = Array(ordered.prefix(count))
    spare = Array(ordered.dropFirst(count))
  }

  /// The cores that the calling thread may run on, ascending. Nil if the system does not show them.
  package static var allowed: [Int]? {
    var numbers = [Int32](repeating: 0, count: process_control_maximum_core_count)
    let count = process_control_allowed_cores(&numbers, Int32(numbers.count))
    return count > 0 ? numbers.prefix(Int(count)).map(Int.init) : nil
  }

  /// Pins all threads of this process to the cores. Returns false if that is not permitted. The run is then noisier,
  /// but still valid.
  static func pin(_ cores: [Int]) -> Bool {
    let numbers = cores.map { Int32(clamping: $0) }
    return process_control_pin_process(numbers, Int32(numbers.count))
  }

  static func processor(of core: Int) -> String {
    let path = "/sys/devices/system/cpu/cpu\(core)/topology/thread_siblings_list"
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? "\(core)"
  }
}
