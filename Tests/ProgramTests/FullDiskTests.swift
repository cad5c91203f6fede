import Foundation
import Testing

@testable import Builds
@testable import Execution
@testable import Platform
@testable import Program

/// Tests disks that are full from the start, or that become full while a command writes.
@Suite struct FullDiskTests {
  @Test func everyOptionThatNamesAFileIsKnown() async throws {
    let help = try await FixtureProcess.run(["--experimental-dump-help"])
    let description = try JSONDecoder().decode(CommandDescription.self, from: Data(help.output.utf8))
    var found = Set<String>()
    for (command, arguments) in description.command.leaves() {
      let cases = WritingCommand.all.filter { $0.command == command }
      let written = Set(cases.compactMap(\.option))
      let other = Set((WritingCommand.others[command] ?? [:]).keys)
      let isKnown = !cases.isEmpty || WritingCommand.others[command] != nil
      #expect(
        isKnown != (WritingCommand.silent[command] != nil),
        "springbench \(command): say in WritingCommand.swift what it writes")
      found.insert(command)
      let names = Set(arguments.filter(\.namesAFile).map(\.name))
      #expect(
        names.subtracting(written).subtracting(other).isEmpty,
        "springbench \(command): say in WritingCommand.swift whether it writes there")
      #expect(written.subtracting(arguments.map(\.name)).isEmpty, "springbench \(command)")
    }
    let known = Set(WritingCommand.all.map(\.command)).union(WritingCommand.others.keys).union(
      WritingCommand.silent.keys)
    #expect(known.subtracting(found).isEmpty, "there are no such commands any more")
  }

  /// Amounts of free space on the disk in KB: none, or enough for a part of the output.
  private static let rooms = [0, 12]
  private static let commands = WritingCommand.oneForEachOption

  /// A shell script that prints a line for each amount of free space. Its fields are the amount, the exit status, the
  /// number of lines on stderr, the number of files that the command changed, the number of hidden files that it left,
  /// the size of all files in percent of their size on a disk with enough space, and the first line of stderr.
  private static let script = """
    program=$1; excluded=$2; cd "$3" || exit 99; shift 3
    mount -t tmpfs -o size=4m none disk && cp limits.yml disk/ || exit 99
    "$program" "$@" > stdout.txt 2> stderr.txt || { cat stderr.txt >&2; exit 98; }
    size() { find disk -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }'; }
    whole=$(size)
    rm -rf before && cp -R disk before
    for room in \(rooms.map(String.init).joined(separator: " ")); do
      mv next.json kept && mv run.json next.json && mv kept run.json
      free=$(df --output=avail -k disk | tail -1)
      head -c $(((free - room) * 1024)) /dev/zero > disk/filler
      "$program" "$@" > stdout.txt 2> stderr.txt
      status=$?
      sed -i '/^springbench: note: /d' stderr.txt
      rm disk/filler
      changed=$(diff -r -x "$excluded" before disk | wc -l)
      hidden=$(find disk -name '.*' ! -name .lock ! -name '.measuring-*' | wc -l)
      echo "$room|$status|$(wc -l < stderr.txt)|$changed|$hidden|$(($(size) * 100 / whole))|$(head -1 stderr.txt)"
      rm -rf before && cp -R disk before
    done
    "$program" "$@" > stdout.txt 2> stderr.txt || { cat stderr.txt >&2; exit 97; }
    """

  @Test(.enabled(if: HistorySafetyTests.canMount, "no right to mount a file system of its own"), arguments: commands)
  func aFullDiskIsSaidAndWhatWasThereStays(_ command: WritingCommand) async throws {
    let folder = try TemporaryFolder()
    try await WritingCommand.prepare(folder)
    let process = ChildProcess(
      executable: "unshare",
      arguments: [
        "--mount", "/bin/sh", "-c", Self.script, "sh", try FixtureProcess.springbench, command.mayChange ?? "none",
        folder.path,
      ] + command.words, environment: try FixtureProcess.measuring(), timeout: hangLimit)
    let end = try await process.run(input: Data())
    #expect(end.status == .exited(0), "\(end.errorTail)")
    let lines = String(decoding: end.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == Self.rooms.count, "\(end.errorTail)")
    for line in lines {
      let fields = line.split(separator: "|", maxSplits: 6, omittingEmptySubsequences: false)
      let (status, errors, changed, size) = (fields[1], fields[2], fields[3], Int(fields[5]) ?? 0)
      #expect(fields[4] == "0", "something half-written stays: \(line)")
      // The size may be a little below 100%, because the numbers of digits of the measured times vary.
      #expect(size > 90, "something was lost: \(line)")
      guard status != "0" else { continue }
      #expect(status == "1", "\(line)")
      #expect(errors == "1" && line.contains("No space left on device"), "\(line)")
      #expect(changed == "0" || line.contains("is whole"), "what was there has changed: \(line)")
    }
    #expect(lines.first?.split(separator: "|")[1] != "0", "nothing was written: \(lines)")
  }
}
