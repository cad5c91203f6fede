import Foundation
import Testing

@testable import FrameBench
@testable import Markup
@testable import Pages
@testable import TextFormat

@Suite struct FormatTests {
  @Test(arguments: [
    (0, "0"), (0.379, "0.379"), (0.0063249, "0.00632"), (1, "1.00"), (16.44, "16.4"), (16.55, "16.6"), (163.4, "163"),
    (999.4, "999"), (999.6, "1,000"), (9.996, "10.0"), (16_234, "16,200"), (1_234_567, "1,230,000"), (-2.5, "-2.50"),
    (Double.leastNonzeroMagnitude, "5e-324"), (1e300, "1e+300"), (.infinity, "inf"), (.nan, "nan"),
  ]) func significantDigitsAreThree(_ value: Double, _ text: String) { #expect(Format.significant(value) == text) }

  @Test(arguments: [
    (16.666_67, 2, "16.67"), (0, 2, "0.00"), (-0.001, 2, "0.00"), (-0.021, 2, "-0.02"), (0.5, 0, "1"),
    (1_234.5, 1, "1,234.5"),
  ]) func fixedDecimalsNeverPrintMinusNothing(_ value: Double, _ decimals: Int, _ text: String) {
    #expect(Format.fixed(value, decimals: decimals) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ]) func thousandsAreSeparated(_ value: Int, _ text: String) { #expect(Format.integer(value) == text) }

  @Test(arguments: [
    (10_000, "10,000"), (0.25, "0.25"), (14.23, "14.2"), (0.000_833, "0.000833"), (1_234.5, "1,230"), (2.999_9, "3"),
  ]) func countsArePrintedInFullWhereTheyAreWhole(_ value: Double, _ text: String) {
    #expect(Format.count(value) == text)
  }

  @Test(arguments: [
    (5.94, "5.9×"), (48.2, "48×"), (430, "430×"), (0.77, "0.77×"), (99.6, "100×"), (29_123, "29,000×"),
    (.infinity, "∞"),
  ]) func ratiosHaveTwoDigits(_ value: Double, _ text: String) { #expect(Format.ratio(value) == text) }

  @Test(arguments: [
    (0, "0%"), (0.000_000_5, "<0.0001%"), (0.000_018, "0.0018%"), (0.004_3, "0.43%"), (0.12, "12%"), (1.312, "131%"),
  ]) func smallSharesAreNotCalledNothing(_ value: Double, _ text: String) { #expect(Format.percent(value) == text) }

  @Test func listsReadAsSentencesDo() {
    #expect(Format.list([]) == "")
    #expect(Format.list(["a"]) == "a")
    #expect(Format.list(["a", "b"]) == "a and b")
    #expect(Format.list(["a", "b", "c"]) == "a, b and c")
    #expect(Format.items(1) == "1 item")
  }

  @Test(arguments: [
    (999.4, "999 ns"), (999.6, "1.00 µs"), (999_400, "999 µs"), (999_600, "1.00 ms"), (9_996, "10.0 µs"),
    (5e11, "500 s"),
  ]) func whatRoundsToAThousandTakesTheNextUnit(_ nanoseconds: Double, _ text: String) {
    #expect(TimeUnit.text(nanoseconds) == text)
  }

  @Test func figuresSideBySideShareAUnit() {
    #expect(TimeUnit.fitting([163_000, 379]) == .microseconds)
    #expect(TimeUnit.fitting([379, 412]) == .nanoseconds)
    #expect(TimeUnit.fitting([16_200_000, 540]) == .microseconds)
    #expect(TimeUnit.fitting([0, 0]) == .nanoseconds)
    #expect(ByteUnit.fitting([9_400_000, 9_800_000]) == .mebibytes)
  }

  @Test func unitOfTheRowsAroundYieldsWhereItWouldHideTheFigures() {
    #expect(TimeUnit.fitting([40, 60], near: .microseconds) == .microseconds)
    #expect(TimeUnit.fitting([40, 60], near: .milliseconds) == .nanoseconds)
  }
}

@Suite struct UTCTimeTests {
  /// Compares `UTCTime` with Foundation's calendar.
  @Test(arguments: [
    "1970-01-01", "1999-12-31", "2026-01-31", "2026-02-28", "2026-04-30", "2000-02-29", "2026-11-21", "2100-03-01",
  ]) func momentsCountDays(_ day: String) throws {
    let date = try Date("\(day)T12:34:56Z", strategy: .iso8601)
    let moment = try #require(UTCTime(iso8601: "\(day)T12:34:56Z"))
    #expect(moment.day == Int((date.timeIntervalSince1970 / 86_400).rounded(.down)))
    #expect(moment.secondOfDay == 45_296)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21 03:00:00Z", "x",
    "2026-02-31T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-12-32T00:00:00Z", "2026-01-00T00:00:00Z",
  ]) func whatIsNoMomentIsNone(_ text: String) { #expect(UTCTime(iso8601: text) == nil) }

  @Test(arguments: [("2028-02-29", true), ("2027-02-29", false), ("2027-1-31", false), ("2027-01-31 ", false)])
  func daysAreOfTheCalendar(_ text: String, _ isDay: Bool) { #expect(UTCTime.isDay(text) == isDay) }
}
