import ArgumentParser
import Foundation
import FrameBench
import Platform
import TextFormat

/// An error about the value of an option. Its text is only the remedy, because ArgumentParser puts the value and the
/// option before the text.
typealias ValueError = MessageError<OptionValue>

/// Parsers of option values. Their errors say what to give instead.
enum OptionValue {
  typealias Parser<Value> = @Sendable (String) throws -> Value

  static func wholeNumber<Number: FixedWidthInteger & Sendable>(_ range: ClosedRange<Number>, like example: Number)
    -> Parser<Number>
  {
    { text in
      guard let number = Number(text), range.contains(number) else {
        throw ValueError("give a whole number from \(range.lowerBound) to \(range.upperBound), as in \(example)")
      }
      return number
    }
  }

  /// Returns 0.01 for `1%`. A number without a percent sign is refused, because 0.3 could mean 0.3% or 30%.
  static func percentage(_ text: String) throws -> Double {
    guard text.hasSuffix("%"), let number = Double(text.dropLast()), number >= 0, number < 100 else {
      throw ValueError("give a percentage from 0% to below 100%, with its sign, as in 1%")
    }
    return number / 100
  }

  static func percentages(_ text: String) throws -> [Double] { try list(text).map(percentage) }

  static let seed = wholeNumber(0...UInt64.max, like: 1)

  /// - Parameter range: The allowed values. 0 itself is excluded, because everything takes some time.
  static func seconds(_ range: ClosedRange<Double>, like example: Int) -> Parser<Double> {
    { text in
      guard let number = Double(text), range.contains(number), number > 0 else {
        let lowest = range.lowerBound == 0 ? "above 0 and" : "from \(Int(range.lowerBound))"
        throw ValueError("give seconds, \(lowest) up to \(Int(range.upperBound)), as in \(example)")
      }
      return number
    }
  }

  /// Returns the parts of a comma-separated list, without the space around each part. A part may be empty.
  static func list(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the number if the text contains only digits, without a sign. Nil for other text.
  static func digits(_ text: some StringProtocol) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }

  static func benchmark(_ text: String) throws -> BenchmarkID {
    guard let id = BenchmarkID(text) else { throw ValueError("give an id as in springs/tiled/10000") }
    return id
  }

  /// Returns the fraction that `0.5` or `50%` stands for.
  static func share(_ text: String) throws -> Double {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? String(text.dropLast()) : text), number > 0, number <= (isPercent ? 100 : 1)
    else { throw ValueError("give a part of a frame, above 0 and up to 1, as in 0.5 or 50%") }
    return isPercent ? number / 100 : number
  }
}

extension Option {
  /// Creates an option `--name value`, whose value may begin with a dash. `parse` throws a `ValueError` if it is
  /// invalid.
  init<Parsed>(_ help: String, _ value: String, _ parse: @escaping OptionValue.Parser<Parsed>) where Value == Parsed? {
    self.init(parsing: .unconditional, help: .value(help, value), transform: parse)
  }

  init<Parsed: ExpressibleByArgument>(_ help: String, _ value: String) where Value == Parsed? {
    self.init(parsing: .unconditional, help: .value(help, value))
  }

  /// Creates a required option.
  init(_ help: String, _ value: String) where Value: ExpressibleByArgument {
    self.init(parsing: .unconditional, help: .value(help, value))
  }

  init(wrappedValue: Value, _ help: String, _ value: String) where Value: ExpressibleByArgument {
    self.init(wrappedValue: wrappedValue, parsing: .unconditional, help: .value(help, value))
  }

  /// Creates an option that can be repeated, as in `--name value --name value`. With `upToNextOption`, it accepts
  /// several values, as in `--name value value`.
  init(
    wrappedValue: [String], _ help: String, _ value: String, parsing: ArrayParsingStrategy = .unconditionalSingleValue
  ) where Value == [String] { self.init(wrappedValue: wrappedValue, parsing: parsing, help: .value(help, value)) }
}

extension ArgumentHelp {
  fileprivate static func value(_ help: String, _ value: String) -> ArgumentHelp { Self(help, valueName: value) }
}

/// A property that a command line can set. `given` returns the names of the options that set it.
private protocol Settable { func given(as name: String) -> [String] }

extension Option: Settable {
  fileprivate func given(as name: String) -> [String] {
    let value = Mirror(reflecting: wrappedValue)
    return [.optional, .collection].contains(value.displayStyle) && !value.children.isEmpty ? [name] : []
  }
}

extension Flag: Settable {
  fileprivate func given(as name: String) -> [String] { wrappedValue as? Bool ?? false ? [name] : [] }
}

extension OptionGroup: Settable { fileprivate func given(as name: String) -> [String] { wrappedValue.given } }

extension ParsableArguments {
  /// The names of the given options, in the order of their declaration. Options that always have a value are left out.
  var given: [String] {
    Mirror(reflecting: self).children.flatMap { child in
      let words = (child.label ?? "").dropFirst().map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }
      return (child.value as? any Settable)?.given(as: "--" + words.joined()) ?? []
    }
  }
}

/// Throws an error about options that do not apply to this use of the command. Does nothing if there are none.
func refuse(_ options: [String], because reason: String, remedy: String) throws(UsageError) {
  guard !options.isEmpty else { return }
  throw UsageError(options.joined(separator: ", "), reason, remedy: remedy)
}

extension ParsableCommand {
  /// Refuses repetitions of an option that accepts one value, because the first value would be ignored silently.
  /// Options for lists may be repeated.
  static func refuseRepetitions(in arguments: [String]) throws(UsageError) {
    let help = try? JSONDecoder().decode(DumpedHelp.self, from: Data(_dumpHelp().utf8))
    let options = (help?.command.arguments ?? []).filter { $0.kind == "option" }
    var given: Set<[String]> = []
    var rest = arguments.prefix { $0 != "--" }
    while let word = rest.popFirst() {
      let name = String(word.prefix { $0 != "=" })
      guard let option = options.first(where: { $0.flags.contains(name) }) else { continue }
      // The next word is the option's value, even if it looks like an option.
      if name == word { _ = rest.popFirst() }
      guard option.isRepeating || given.insert(option.flags).inserted else {
        throw UsageError(name, "it is given twice, and takes one value", remedy: "leave out one of them")
      }
    }
  }
}

/// ArgumentParser's description of a command in JSON, with only the keys that are needed here.
private struct DumpedHelp: Decodable {
  struct Command: Decodable { var arguments: [Argument]? }

  struct Argument: Decodable {
    struct Name: Decodable { var name: String }

    var kind: String
    var isRepeating: Bool
    var names: [Name]?

    var flags: [String] { (names ?? []).map { "--\($0.name)" } }
  }

  var command: Command
}
