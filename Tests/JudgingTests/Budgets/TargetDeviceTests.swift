import Testing

@testable import Judging

/// Tests devices in springbench.yml, and budgets for one device.
@Suite struct TargetDeviceTests {
  private let file: BudgetFile

  init() throws {
    file = try BudgetFile(
      reading: """
        refreshRate: 60
        cpuSlowdown: 2
        devices:
          iphone-12: {score: 400}
          ipad-pro: {cpuSlowdown: 1.5, refreshRate: 120}
        """, path: "b.yml")
  }

  private func message(_ text: String) -> String {
    do {
      _ = try BudgetFile(reading: text, path: "b.yml")
      return "no error"
    } catch { return error.description }
  }

  @Test func aScoreIsHeldAgainstThatOfTheMachineThatMeasured() throws {
    let phone = try file.targeting("iphone-12", machineScore: 1_000)
    #expect(phone.cpuSlowdown == 2.5 && phone.refreshRateHertz == 60)
    #expect(throws: BudgetError.self) { try file.targeting("iphone-12", machineScore: nil) }
  }

  @Test func aFactorAndARefreshRateTakeThePlaceOfTheFiles() throws {
    let tablet = try file.targeting("ipad-pro", machineScore: nil)
    #expect(tablet.cpuSlowdown == 1.5 && tablet.refreshRateHertz == 120)
    #expect(file.cpuSlowdown == 2)
  }

  @Test func anUnknownDeviceIsAnErrorThatNamesWhatThereIs() throws {
    let error = #expect(throws: BudgetError.self) { try file.device(named: "iphone-21") }
    #expect(error?.message == "did you mean \"iphone-12\"? b.yml has: iphone-12, ipad-pro")
    let none = #expect(throws: BudgetError.self) { try BudgetFile(path: "b.yml").device(named: "x") }
    #expect(none?.message.contains("names no devices") == true)
  }

  @Test func whatIsWrongWithADeviceIsSaidWithItsPlace() {
    #expect(message("devices:\n  a: {}").hasPrefix("b.yml:2:6: the device a needs either score"))
    #expect(message("devices:\n  a: {score: 1, cpuSlowdown: 2}").contains("needs either score"))
    #expect(message("devices:\n  a: {score: 0}").contains("score is \"0\"; write a number above 0"))
    #expect(message("devices:\n  a: {scor: 1}").contains("did you mean \"score\"?"))
    #expect(message("devices:\n  - a").contains("devices is a list"))
    #expect(message("devices:\n  a: {score: 1}\n  a: {score: 2}").contains("more than once"))
    #expect(message("devices:") == "no error")
  }
}
