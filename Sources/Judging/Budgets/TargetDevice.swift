import TextFormat

/// A device that frames have to run on, as a budget file names it.
package struct TargetDevice: Sendable, Equatable {
  /// How its speed is known.
  package enum Speed: Sendable, Equatable {
    /// It is this many times slower than the machine that measures.
    case slowdown(Double)
    /// Steps of the calibration kernel per microsecond, as `docs/device/DeviceScore.swift` prints it there.
    case score(Double)
  }

  package var name: String
  package var speed: Speed
  /// Of its display, 1/s; nil: the file's.
  package var refreshRateHertz: Double?
}

extension BudgetFile {
  /// The device of a name.
  ///
  /// - Throws: A sentence with the remedy where the file does not have it.
  package func device(named name: String) throws(DeviceError) -> TargetDevice {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw DeviceError(
        message: devices.isEmpty
          ? "\(path) names no devices; add one below `devices:`, as docs/budgets.md shows"
          : Suggestion.remedy(for: name, among: devices.map(\.name), called: "\(path) has"))
    }
    return device
  }

  /// The budgets for a device.
  ///
  /// - Parameters:
  ///   - name: One of `devices`.
  ///   - score: Of the machine that measured, steps per microsecond; nil: not known.
  /// - Throws: Also if the device's speed cannot be compared because the machine's is unknown.
  package func targeting(_ name: String, machineScore score: Double?) throws(DeviceError) -> BudgetFile {
    let device = try device(named: name)
    var file = self
    if let rate = device.refreshRateHertz { file.refreshRateHertz = rate }
    switch device.speed {
    case .slowdown(let factor): file.cpuSlowdown = factor
    case .score(let own):
      guard let score else {
        throw DeviceError(
          message: "the run has no calibration to compare the score of \(name) with; measure it again")
      }
      file.cpuSlowdown = score / own
    }
    return file
  }
}

/// Why there are no budgets for a device.
package struct DeviceError: Error, Equatable {
  /// What is wrong, and what to do.
  package var message: String
}
