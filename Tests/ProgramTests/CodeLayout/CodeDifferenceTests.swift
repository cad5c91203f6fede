import CProcessControl
import Foundation
import FrameBench
import Testing

@testable import Builds
@testable import Execution
@testable import Linking
@testable import LockStep
@testable import Platform

/// Tests that the functions that differ between two small C programs are found. The tests compile and link the
/// programs.
struct CodeDifferenceTests {
  private static let source = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>
    #define KEEP __attribute__((noinline, used))
    static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
    static const char *const names[] = {"one", "two", "three"};
    static const char *const *const shelf[] = {names, names + 1};
    static int first, second;
    KEEP int callee(int x) { return x * 7 + 1; }
    KEEP int other(int x) { return x * 5 + 2; }
    KEEP int caller(int x) { return callee(x) + 1; }
    KEEP int looks_up(int x) { return table[x & 7]; }
    KEEP const char *names_it(int x) { return shelf[x & 1][0]; }
    KEEP void greets(void) { puts("hello"); }
    KEEP void says(void) { puts("good day"); }
    KEEP int counts(int x) { first += x; return first; }
    KEEP int counts_too(int x) { second += x; return second; }
    KEEP double scales(double x) { return x * 1.25; }
    KEEP int chooses(int x) {
      switch (x) {
        case 0: return callee(1);
        case 1: return other(2);
        case 2: return callee(3) * 3;
        case 3: return other(5) * 9;
        case 4: return callee(7) * 11;
        default: return 0;
      }
    }
    static _Thread_local int own = 4;
    KEEP int of_thread(int x) { return own++ + x; }
    __attribute__((section("jobs"), used, retain)) static long job = 2;
    extern long __start_jobs[], __stop_jobs[];
    KEEP long sums(void) {
      long sum = 0;
      for (long *next = __start_jobs; next < __stop_jobs; ++next) sum += *next;
      return sum;
    }
    __asm__(
        ".section .text.entries,\\"ax\\",@progbits\\n.type first_entry,@function\\nfirst_entry: movl $10, %eax\\n"
        "jmp callee\\n.type second_entry,@function\\nsecond_entry: movl $20, %eax\\n"
        "ret\\n.size second_entry,.-second_entry\\n.size first_entry,.-first_entry\\n.text\\n");
    int second_entry(void);
    __asm__(".section .rodata.pair,\\"a\\"\\n.type pair,@object\\npair: .short number\\n.short 3\\n.quad 0\\n.size pair,12\\n.text\\n");
    __asm__(
        ".section .rodata.lengths,\\"a\\"\\n.type length,@object\\nlength: .quad 21\\n.size length,8\\n"
        ".type lengths,@object\\nlengths: .long length-lengths\\n.size lengths,4\\n.text\\n");
    extern const int lengths[1] __attribute__((visibility("hidden")));
    KEEP long measures(void) { return *(const long *)((const char *)lengths + lengths[0]); }
    static unsigned char front __attribute__((section(".data.flags"))) = 1;
    static unsigned char flag __attribute__((section(".data.flags"))) = 2;
    KEEP void sets(int x) { front = x; flag = x; }
    KEEP int compares(void) { return flag == 2 ? callee(1) : other(1); }
    extern const short pair[2] __attribute__((visibility("hidden")));
    KEEP int half(void) { return pair[1]; }
    KEEP int reads_number(void) { int x; __asm__("movl $number, %0" : "=r"(x)); return x; }
    KEEP int enters(void) { return second_entry(); }
    int setting = 1;
    int main(int count, char **arguments) {
      int x = count > 1 ? atoi(arguments[1]) : 0;
      if (x == 1) return caller(x) & 1;
      if (x == 2) abort();
      if (x == 7) execl("/proc/self/exe", "again", (char *)0);
      if (x == 8) return enters();
      if (x == 9) {
        int child = fork();
        if (child == 0) {
          setpgid(0, 0);
          for (;;) pause();
        }
        while (getpgid(child) == getpgid(0)) usleep(1000);
        execl("/proc/self/exe", "again", (char *)0);
      }
      if (x > 2) printf("%d %d %s %d %d %f", looks_up(x), chooses(x), names_it(x), counts(x), counts_too(x), scales(x));
      if (x > 9) printf("%d %ld", of_thread(x), sums());
      says();
      greets();
      return 3;
    }
    """

  private struct Built {
    var path: String
    var program: LinkedProgram
  }

  /// - Parameter flags: Flags for the linker.
  private func build(_ source: String, in folder: String, _ flags: [String] = []) async throws -> Built? {
    guard let tools = try await LinkTools.installed() else { return nil }
    let name = "\(folder)/\(UUID().uuidString)"
    try source.write(toFile: "\(name).c", atomically: true, encoding: .utf8)
    let link = (["--emit-relocs", "--no-demangle", "--Map=\(name).map", "--defsym=number=10"] + flags).map {
      "-Wl,\($0)"
    }
    let end = try await ChildProcess(
      executable: tools.assembler,
      arguments: ["-O1", "-ffunction-sections", "-fdata-sections", "-fPIE", "-pie", "--ld-path=\(tools.linker)"] + link
        + ["\(name).c", "-o", name], timeout: hangLimit
    ).run { _ in LinkProblem("no compiler") }
    try #require(end.isSuccess, "\(end.errorTail)")
    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
    return Built(path: name, program: try LinkedProgram(image: try bytes(name), map: try bytes("\(name).map")))
  }

  private func changed(_ old: Built, _ new: Built) -> [String] {
    let names = ELFSymbols(path: new.path)
    let addresses = CodeDifference(baseline: old.program, candidate: new.program).changed
    return Set(addresses.compactMap(names.name)).sorted()
  }

  private func common(_ old: Built, _ new: Built) -> String? {
    CodeDifference(baseline: old.program, candidate: new.program).common
  }

  private static let edits = [
    // A function added at the start moves all other functions without changing them.
    ("#define KEEP", "int before(int x) { return x + 1; }\n#define KEEP", ["before"]),
    ("x * 7 + 1", "x * 7 + 2", ["callee"]), ("return callee(x) + 1", "return other(x) + 1", ["caller"]),
    ("9, 2, 6}", "9, 2, 7}", ["looks_up"]), ("\"two\"", "\"too\"", ["names_it"]),
    ("puts(\"hello\")", "puts(\"hallo\")", ["greets"]), ("puts(\"good day\")", "puts(\"a longer good day\")", ["says"]),
    ("first += x; return first", "second += x; return second", ["counts"]),
    ("static int first, second", "static int first = 1, second", ["counts"]), ("x * 1.25", "x * 1.5", ["scales"]),
    ("callee(3) * 3", "callee(3) * 5", ["chooses"]), ("puts(\"hello\")", "getenv(\"hello\")", ["greets"]), ("", "", []),
    ("int own = 4", "int own = 5", ["of_thread"]), ("long job = 2", "long job = 3", ["sums"]),
    ("long job = 2", "long job = 2, another = 2", ["sums"]),
    // `first_entry` contains `second_entry`. Functions whose code overlaps count as one function.
    ("movl $20", "movl $21", ["first_entry", "second_entry"]), (".short 3", ".short 4", ["half"]),
    (".quad 21", ".quad 22", ["measures"]),
    (
      "flag __attribute__((section(\".data.flags\"))) = 2", "flag __attribute__((section(\".data.flags\"))) = 3",
      ["compares", "sets"]
    ),
  ]

  @Test func functionsThatDifferAreFound() async throws {
    let folder = try TemporaryFolder()
    guard let baseline = try await build(Self.source, in: folder.path) else { return }
    let edited = Self.edits.map { old, new, _ in
      old.isEmpty ? Self.source : Self.source.replacing(old, with: new, maxReplacements: 1)
    }
    let candidates = try await concurrently(edited) { [path = folder.path] in try await build($0, in: path) }
    for (candidate, (old, new, names)) in zip(candidates, Self.edits) {
      let found = changed(baseline, try #require(candidate))
      #expect(found == names, "\(old) → \(new): \(found)")
    }
  }

  @Test func whatNoFunctionRefersToConcernsAll() async throws {
    let folder = try TemporaryFolder()
    let flags = ["--export-dynamic-symbol=setting", "--export-dynamic-symbol=other"]
    guard let old = try await build(Self.source, in: folder.path, flags) else { return }
    func built(_ text: String, _ other: String = "", more: [String] = []) async throws -> Built {
      let source = text.isEmpty ? Self.source + other : Self.source.replacing(text, with: other)
      return try #require(try await build(source, in: folder.path, flags + more))
    }
    #expect(common(old, try await built("x * 7", "x * 9")) == nil)
    let setting = try await built("setting = 1", "setting = 2")
    #expect(common(old, setting) == "the variable setting, which a library reads")
    let early = try await built("", "\n__attribute__((constructor)) static void early(void) { puts(\"early\"); }")
    #expect(common(old, early) == "the functions that run before the program starts")
    let library = try await built("", more: ["--no-as-needed", "-lm"])
    #expect(common(old, library) == "the libraries that the program loads")
    let function = try await built("KEEP int other(int", "static KEEP int other(int")
    #expect(common(old, function) == "the function other, which a library called")
    let section = try await built(
      "", "\n__attribute__((section(\"plug.ins\"), used, retain)) static const long plugin = 2;")
    #expect(common(old, section) == "the section plug.ins")
    let note = try await built("", "\n__asm__(\".section .note.config,\\\"a\\\",@note\\n.quad 2\\n.text\\n\");")
    #expect(common(old, note) == "the section .note.config")
    let initial = try await built("", "\n__asm__(\".section .init,\\\"ax\\\",@progbits\\nnop\\n.text\\n\");")
    #expect(common(old, initial) == "the section .init")
    for flag in ["-init=greets", "-fini=greets", "--entry=greets"] {
      #expect(common(old, try await built("", more: [flag])) == "the functions that the system starts and ends with")
    }
  }

  @Test func aNumberThatTheLinkerGivesANameCounts() async throws {
    let folder = try TemporaryFolder()
    guard let old = try await build(Self.source, in: folder.path) else { return }
    let new = try #require(try await build(Self.source, in: folder.path, ["--defsym=number=14"]))
    #expect(changed(old, new) == ["half", "reads_number"])
  }

  /// A program also fails to start if the system forbids tracing. The result must then be "unknown", not "same code".
  @Test func whetherAProgramThatCannotBeStartedRunsTheSameCodeIsUnknown() async throws {
    let folder = try TemporaryFolder()
    guard let old = try await build(Self.source, in: folder.path) else { return }
    let new = try #require(try await build(Self.source.replacing("x * 7", with: "x * 9"), in: folder.path))
    let trace = CodeTrace(baseline: old.program, candidate: new.program, at: folder.path + "/nothing")
    let id = BenchmarkID(scenario: "any", strategy: "mine", size: 10)
    let request = WorkerRequest(benchmark: id, pass: .frames, options: RunOptions())
    #expect(
      try trace.find(request, timeout: hangLimit) { false }
        == .unknown("it cannot be traced: No such file or directory"))
  }

  @Test func aProgramIsFollowedUntilItEntersAFunctionOrEnds() async throws {
    let folder = try TemporaryFolder()
    guard let built = try await build(Self.source, in: folder.path) else { return }
    let entries = Dictionary(
      ELFSymbols(path: built.path).entries.map { ($0.name, $0.address) }, uniquingKeysWith: { first, _ in first })
    let functions = try ["callee", "counts", "second_entry"].map { try #require(entries[$0]) }
    func follow(_ argument: String) async throws -> Int32 {
      try await DedicatedThread.run { _ in
        var launch = Launch(path: built.path, arguments: ["program", argument], environment: [:])
        launch.isTraced = true
        let null = try OwnDescriptor.empty()
        let process = try RunningProcess(launch, [null, null, null])
        return process.follow(built.program.image.entry, to: functions, for: hangLimit)
      }
    }
    // The system may forbid tracing.
    guard let none = try? await follow("0"), none != Int32(process_control_unknown) else { return }
    #expect(none == 3 << 8)
    #expect(try await follow("1") == Int32(process_control_entered))
    #expect(try await follow("2") & 0x7f == SIGABRT)
    #expect(try await follow("5") == Int32(process_control_entered))
    #expect(try await follow("7") == Int32(process_control_other_program))
    #expect(try await follow("8") == Int32(process_control_entered))
    // The traced program's child, which has its own process group, must end with the program.
    #expect(try await follow("9") == Int32(process_control_other_program))
  }
}
