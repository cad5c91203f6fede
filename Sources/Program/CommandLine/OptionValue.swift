import Foundation
import FrameBench
import TextFormat

/// Why a value was refused: what to give instead. ArgumentParser puts the value and the option before it.
struct ValueError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A part of something: `1%` is 0.01.
struct Percentage: Hashable, Sendable {
  let fraction: Double
  /// As it was given.
  let text: String

  /// Refuses a number without its sign: 0.3 alone could mean 0.3% or 30%.
  init(_ text: String) throws(ValueError) {
    guard text.hasSuffix("%"), let number = Double(text.dropLast()), number >= 0, number < 100 else {
      throw ValueError("give a percentage from 0% to below 100%, with its sign, as in 1%")
    }
    fraction = number / 100
    self.text = text
  }

  /// `0%,0.5%,1%`
  static func list(_ text: String) throws -> [Percentage] {
    try OptionValue.list(text).map { try Percentage($0) }
  }
}

/// What turns the text of an option into its value, or says what to give instead.
enum OptionValue {
  typealias Parser<Value> = @Sendable (String) throws -> Value

  static func wholeNumber<Number: FixedWidthInteger & Sendable>(
    _ range: ClosedRange<Number>, like example: Number
  ) -> Parser<Number> {
    { text in
      guard let number = Number(text), range.contains(number) else {
        throw ValueError(
          "give a whole number from \(range.lowerBound) to \(range.upperBound), as in \(example)")
      }
      return number
    }
  }

  static let seed = wholeNumber(0...UInt64.max, like: 1)

  /// - Parameter range: Its lower end is excluded where it is 0: nothing takes no time.
  static func seconds(_ range: ClosedRange<Double>, like example: Int) -> Parser<Double> {
    { text in
      guard let number = Double(text), range.contains(number), number > 0 else {
        let lowest = range.lowerBound == 0 ? "above 0 and" : "from \(Int(range.lowerBound))"
        throw ValueError("give seconds, \(lowest) up to \(Int(range.upperBound)), as in \(example)")
      }
      return number
    }
  }

  /// One of the raw values.
  /// - Parameter name: What they are called: `the formats are`.
  static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    called name: String
  ) -> Parser<Choice> where Choice.RawValue == String {
    let known = Array(Choice.allCases)
    return { text in
      guard let choice = known.first(where: { $0.rawValue == text }) else {
        throw ValueError(Suggestion.remedy(for: text, among: known.map(\.rawValue), called: name))
      }
      return choice
    }
  }

  /// Comma-separated, without the space around each. A part may be empty.
  static func list(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// Numbers of items; one that is named twice counts once.
  static func sizes(_ text: String) throws -> [Int] {
    try list(text).reduce(into: []) { sizes, part in
      guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let size = Int(part),
        (1...BenchmarkSelection.largestSize).contains(size)
      else {
        throw ValueError(
          "give numbers of items from 1 to \(BenchmarkSelection.largestSize), as in 100,1000,10000")
      }
      if !sizes.contains(size) { sizes.append(size) }
    }
  }

  /// Every run reads it again, in its own process.
  static func trace(_ path: String) throws -> String {
    do throws(InputFile.Problem) {
      try InputFile(path, sizeLimit: 64 << 20).checkRepeatable()
    } catch {
      throw ValueError("\(path) \(error)")
    }
    return path
  }

  static func benchmark(_ text: String) throws -> BenchmarkID {
    guard let id = BenchmarkID(text) else { throw ValueError("give an id as in springs/tiled/10000") }
    return id
  }

  /// A part of a whole as a fraction or a percentage: `0.5`, `50%`.
  static func share(_ text: String) throws -> Double {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? String(text.dropLast()) : text), number > 0,
      number <= (isPercent ? 100 : 1)
    else { throw ValueError("give a part of a frame, above 0 and up to 1, as in 0.5 or 50%") }
    return isPercent ? number / 100 : number
  }
}
