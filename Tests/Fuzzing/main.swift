import Foundation

/// `make fuzz`: damaged files for everything that reads one. A reader may refuse a file, but never end the process,
/// take longer than ten seconds, or need more than 2 GB.
///
/// Readers run in children, so that one that traps ends nothing but its child: the parent names the file that did it.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "child", arguments.count == 5, let reader = FileReader(rawValue: arguments[1]),
  let seed = UInt64(arguments[2]), let count = Int(arguments[3])
{
  try FuzzChild(reader: reader, inputPath: arguments[4]).run(seed: seed, count: count)
} else {
  exit(try FuzzRun(arguments).run())
}
