import ArgumentParser
import FrameBench

extension Suite {
  /// Adds benchmarks of swift-argument-parser. One writes the help of a command. The others parse command lines, with
  /// the library and with a parser written by hand.
  mutating func addArguments() {
    measure("help", summary: "The help of a command is written.", tags: ["arguments"]) {
      Convert.helpMessage(columns: 80)
    }
    measure(
      "arguments", summary: "A command line is read that has a flag, an option and names of files.",
      strategies: Parser.allCases, sizes: [1, 10, 100], tags: ["arguments"],
      options: .init(frameCount: 100, warmUpFrameCount: 10), checksum: \.hashValue
    ) { parser, context in
      let arguments = ["--verbose", "--quality", "85"] + (1...context.size).map { "picture\($0).png" }
      return { try parser.parse(arguments) }
    }
  }
}

private struct Conversion: Hashable {
  var isVerbose = false
  var quality = 80
  var files: [String] = []
}

private struct Convert: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Say what is converted.") var verbose = false
  @Option(name: .shortAndLong, help: "How good, from 1 to 100.") var quality = 80
  @Argument(help: "Pictures to convert.") var files: [String] = []
}

private enum Parser: CaseIterable {
  /// Parses with a loop and a switch, like a program without dependencies.
  case byHand
  case argumentParser

  func parse(_ arguments: [String]) throws -> Conversion {
    switch self {
    case .byHand: return try Self.conversion(arguments[...])
    case .argumentParser:
      let convert = try Convert.parse(arguments)
      return Conversion(isVerbose: convert.verbose, quality: convert.quality, files: convert.files)
    }
  }

  private static func conversion(_ arguments: ArraySlice<String>) throws -> Conversion {
    var conversion = Conversion()
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "-v", "--verbose": conversion.isVerbose = true
      case "-q", "--quality":
        guard let quality = rest.popFirst().flatMap({ Int($0) }) else {
          throw ValidationError("\(argument) needs a number")
        }
        conversion.quality = quality
      case _ where argument.hasPrefix("-"): throw ValidationError("unknown option \(argument)")
      default: conversion.files.append(argument)
      }
    }
    return conversion
  }
}
