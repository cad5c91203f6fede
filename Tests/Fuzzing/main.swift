import Foundation

/// `make fuzz`: gives damaged files to all code that reads files. A reader may refuse a file, but must not end the
/// process, take longer than ten seconds, or need more than 2 GB.
///
/// Readers run in child processes, so a trap ends only the child. The parent prints the name of the file that caused
/// the trap.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "child", arguments.count == 5, let reader = FileReader(rawValue: arguments[1]),
  let seed = UInt64(arguments[2]), let count = Int(arguments[3])
{
  try FuzzChild(reader: reader, inputPath: arguments[4]).run(seed: seed, count: count)
} else {
  exit(try FuzzRun(arguments).run())
}
