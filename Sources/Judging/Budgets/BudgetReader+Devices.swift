import Yams

extension BudgetReader {
  private static let deviceKeys = ["score", "cpuSlowdown", "refreshRate"]

  /// `devices:`, a mapping from names to how fast they are.
  func devices(_ node: Node) throws(BudgetError) -> [TargetDevice] {
    if node.isNothing { return [] }
    var devices: [TargetDevice] = []
    for (key, value) in try YAMLMap(node, called: "devices", keys: nil, path: path).pairs {
      guard let name = key.scalar?.string, !name.isEmpty else {
        throw error(key, "\(key.shown) is not the name of a device; write one, as in iphone-12")
      }
      devices.append(try device(name, value))
    }
    return devices
  }

  private func device(_ name: String, _ node: Node) throws(BudgetError) -> TargetDevice {
    let map = try YAMLMap(node, called: "the device \(name)", keys: Self.deviceKeys, path: path)
    let speed: TargetDevice.Speed
    switch (map["score"], map["cpuSlowdown"]) {
    case (let score?, nil):
      speed = .score(try number(score, "score", "as docs/device/DeviceScore.swift prints it on the device"))
    case (nil, let factor?):
      speed = .slowdown(try number(factor, "cpuSlowdown", "as in 4 for a device four times slower"))
    default:
      throw error(
        node,
        "the device \(name) needs either score, as docs/device/DeviceScore.swift prints it, or cpuSlowdown")
    }
    var device = TargetDevice(name: name, speed: speed)
    if let rate = map["refreshRate"] {
      device.refreshRateHertz = try number(rate, "refreshRate", "as in 120")
    }
    return device
  }
}
