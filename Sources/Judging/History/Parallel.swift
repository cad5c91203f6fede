import Dispatch

/// Work on all cores at once.
package enum Parallel {
  /// The results in the order of the inputs.
  package static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ work: @Sendable (Input) -> Output
  ) -> [Output] {
    guard !inputs.isEmpty else { return [] }
    return [Output](unsafeUninitializedCapacity: inputs.count) { buffer, count in
      nonisolated(unsafe) let base = buffer.baseAddress
      DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
        base?.advanced(by: index).initialize(to: work(inputs[index]))
      }
      count = inputs.count
    }
  }
}
