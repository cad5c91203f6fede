import CAllocationCounter
import CStackProfiler
import Foundation
import Markup
import Statistics
import Testing

@testable import Builds
@testable import Execution
@testable import FrameBench
@testable import Linking
@testable import Measurements
@testable import Program

@Suite struct SymbolTests {
  @Test func inlinedFunctionsComeInnermostFirst() {
    let output = """
      {"Address":"0x1","ModuleName":"m","Symbol":[{"FunctionName":"$s1a","FileName":"/a.swift","Line":7,"Column":1},\
      {"FunctionName":"$s1b","FileName":"/b.swift","Line":0},\
      {"FunctionName":"$s1c","FileName":"/<compiler-generated>","Line":0},\
      {"FunctionName":"$s1d","FileName":"crtstuff.c","Line":0}]}
      {"Address":"0x2","ModuleName":"m","Symbol":[{"FunctionName":"","FileName":"","Line":0}]}
      {"Address":"0x3","Error":{"Message":"no such file"},"ModuleName":"m"}
      rubbish

      """
    #expect(
      Symbolizer.parsed(output) == [
        [
          .init(mangled: "$s1a", file: "/a.swift", line: 7), .init(mangled: "$s1b", file: "/b.swift", line: nil),
          .init(mangled: "$s1c", file: nil, line: nil), .init(mangled: "$s1d", file: nil, line: nil),
        ], [], [], [],
      ])
  }

  @Test func theSymbolTableKnowsWhereAFunctionLies() throws {
    let function: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { _ in 0 }
    _ = function
    let address = try #require(
      dlsym(nil, "allocation_counter_is_active").map { UInt(bitPattern: $0) } ?? Self.ownFunction)
    var path: UnsafePointer<CChar>?
    var fileAddress: UInt = 0
    try #require(stack_profiler_find_module(address, &path, &fileAddress))
    let name = path.map { String(cString: $0) } ?? ""
    let table = ELFSymbols(path: name.isEmpty ? "/proc/self/exe" : name)
    #expect(table.name(at: UInt64(fileAddress))?.isEmpty == false)
    #expect(table.name(at: 0) == nil)
    #expect(!table.isLinkageTable(UInt64(fileAddress)))
  }

  private static var ownFunction: UInt {
    UInt(bitPattern: unsafeBitCast(stack_profiler_seen_count as @convention(c) () -> UInt64, to: UnsafeRawPointer.self))
  }

  /// No file, however broken, may cause a crash or a made-up name.
  @Test func brokenFilesHaveNoSymbols() throws {
    let program = try Data(contentsOf: URL(fileURLWithPath: try FixtureProcess.path)).prefix(100_000)
    var generator = SplitMix64(seed: 7)
    for length in [0, 3, 16, 63, 64, 200, 5_000, 100_000] {
      var data = Data(program.prefix(length))
      #expect(ELFSymbols(data).name(at: 1 << 40) == nil)
      for _ in 0..<50 where !data.isEmpty {
        data[Int.random(in: 0..<min(data.count, 64), using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        _ = ELFSymbols(data).name(at: 0x1000)
      }
    }
    #expect(ELFSymbols(path: "/nowhere").name(at: 1) == nil)
  }

  @Test(arguments: [Demangler.installed(), Demangler(usesToolchain: false)]) func namesAreThoseOfTheSource(
    _ demangler: Demangler
  ) async throws {
    let mangled = "$s12SuiteFixture13PlantedLayoutC7prepare_9itemCountySi_SitF"
    let closure = "$s10benchmarksyycfU_"
    let names = try await demangler.names(of: [
      mangled, closure, "malloc", "_ZN3foo3barEiPKc", "_Zrubbish", "$srubbish",
    ])
    #expect([" in main", " in benchmarks"].contains { names[closure]?.hasSuffix($0) == true }, "\(names)")
    #expect(names[mangled]?.contains("PlantedLayout.prepare(_:") == true)
    #expect(names["malloc"] == "malloc")
    #expect(names["_ZN3foo3barEiPKc"] == "foo::bar")
    #expect(names["_Zrubbish"] == "_Zrubbish")
    #expect(names["$srubbish"]?.isEmpty == false)
  }

  @Test(arguments: [
    ("foo::bar(int, char const*)", "foo::bar"), ("foo::bar() const", "foo::bar"),
    ("ui::(anonymous namespace)::layout(Rect&)", "ui::(anonymous namespace)::layout"),
    ("(anonymous namespace)::draw(int) [clone .cold]", "(anonymous namespace)::draw"),
    ("Less::operator()(int, int) const", "Less::operator()"),
    ("sort(int)::{lambda(int)#1}::operator()(int) const", "sort(int)::{lambda(int)#1}::operator()"),
    ("std::function<void (int)>::swap(std::function<void (int)>&)", "std::function<void (int)>::swap"),
    ("void each<void (*)(int)>(void (*)(int))", "void each<void (*)(int)>"),
    ("operator<<(Stream&, Point)", "operator<<"), ("Point::operator int() const", "Point::operator int"),
    ("vtable for Layout", "vtable for Layout"), ("malloc", "malloc"),
    ("(anonymous namespace)", "(anonymous namespace)"), ("", ""), (")", ")"), ("())", "())"),
  ]) func aNameOfCXXLosesItsOwnParametersOnly(_ name: String, _ short: String) {
    #expect(Demangler.withoutParameters(name) == short)
  }

  @Test(arguments: [
    (
      "$s12SuiteFixture0bA0O9heavyWork33_35DA5A09F561D1DC0CDD49DC0214C14DLL_6roundsys6UInt64Vz_SitFZTf4nnd_n",
      "heavyWork("
    ),
    (
      "$s4Yams8_Encoder33_F5F7DB7F114570D28772A4EBA170F37DLLC6encodeyyxKAA13YAMLEncodableRzlFSb_Tg5", "_Encoder.encode<"
    ),
    (
      "$sSD6filterySDyxq_GSbx3key_q_5valuet_tKXEKFSS_SiTg5039$s11FrameReport12FoldedStacksO6render_5c42SSSayAA12ProfileStackVG_SiAGXEtFZSbSS3key_O11AEt_tXEfU0_Tf1cn_nTf4g_n",
      "Dictionary.filter("
    ),
  ]) func specializedFunctionsAreNamedBeforeAllElse(_ mangled: String, _ name: String) async throws {
    for demangler in [Demangler.installed(), Demangler(usesToolchain: false)] {
      let plain = try #require(try await demangler.names(of: [mangled])[mangled])
      #expect(plain.hasPrefix("specialized "))
      #expect(plain.prefix(70).contains(name) || plain.prefix(70).contains(name.replacing("<", with: "(")), "\(plain)")
    }
  }

  @Test func codeIsToldApartByWhoseItIs() {
    func origin(_ name: String, _ library: String? = nil) -> CallFrame.Origin {
      StackNaming.origin(name, library: library)
    }
    #expect(origin("$s10FrameBench0A5TimerV7measureyxAA5PhaseV_xyKXEtKlF") == .harness)
    #expect(origin("$s11FrameBenchXX1fyyF") == .program)
    #expect(origin("$s12Measurements3sumyyF") == .program && origin("request") == .program)
    #expect(origin("instruction_counter_request") == .harness)
    // Functions that a program adds to types of FrameBench in extensions belong to the program.
    #expect(origin("$s10FrameBench5SuiteV8packagesE6addAppyyF") == .program)
    #expect(origin("$s10FrameBench0A5TimerV0B3AppE6addAppyyF") == .program)
    #expect(origin("$s10FrameBench0A5TimerV0aB0E6addAppyyF") == .program)
    #expect(origin("$s10FrameBench0A8ObserverPAAE8endFrameyyF") == .harness)
    #expect(origin("$sSa6appendyyxnFSi_Tg5") == .standardLibrary)
    #expect(origin("$ss12_ArrayBufferV1fyyF") == .standardLibrary)
    #expect(origin("$sSa4MineE3sumSiyF") == .program)
    #expect(origin("spring_shift") == .program)
    #expect(origin("malloc") == .system)
    #expect(origin("swift_retain", "libswiftCore.so") == .system)
    #expect(origin("$sSa6appendyyxnF", "libswiftCore.so") == .standardLibrary)
    #expect(origin("memcpy", "libc.so.6") == .system)
  }

  @Test func codeOfTheEngineBelowAnAppsIsNotTheApps() throws {
    func symbol(_ mangled: String, _ file: String?) -> Symbolizer.Symbol { .init(mangled: mangled, file: file) }
    let engine = [
      symbol("$s10FrameBench5SuiteV3runyyF", "/a/springbench/Sources/FrameBench/Suite/Suite.swift"),
      symbol("$s5UIKit5ThingC4movexyF", "/a/springbench/Sources/UIKit/Thing.swift"),
    ]
    let app = symbol("$s4mine6LayoutC7prepareyyF", "/home/me/Layout.swift")
    let code = try #require(EngineCode(engine + [app]))
    #expect(code.has(engine[1]) && !code.has(app))
    // Code that the compiler generates has no file, so its module decides whether it belongs to the engine.
    #expect(code.has(symbol("$s5UIKit5ThingC4sizexvg", nil)) && !code.has(symbol("$s4mine6LayoutC4sizexvg", nil)))
    #expect(!code.has(symbol("$s5yours", "/a/springbench/Benchmarks/Packages/Sources/packages/main.swift")))
    // In the engine's own benchmarks, the engine is the measured program, so its code is not treated separately.
    let own = symbol("$s9Scenarios3RunV", "/a/springbench/Benchmarks/Scenarios/Run.swift")
    #expect(EngineCode(engine + [own]) == nil && EngineCode([app]) == nil)
  }

  @Test func framesAreChosenByRangeOrByCost() throws {
    func choice(_ arguments: String...) throws -> ProfileCommand {
      let command = try ProfileCommand.parse(["springs/naive/100"] + arguments)
      try command.checkFrames(of: 10)
      return command
    }
    #expect(try choice().frames == nil)
    #expect(try choice("--frames", "3..7").frames == 3...7)
    #expect(try choice("--frames", "9").frames == 9...9)
    #expect(try choice("--worst", "10").worst == 10)
    for text in ["", "..", "1..", "..1", "1..2..3", "-1", "1...3", "９", "3..10", "7..3"] {
      #expect(throws: (any Error).self) { try choice("--frames", text) }
    }
    #expect(throws: (any Error).self) { try choice("--worst", "11") }
    let frames = Profiler.Frames(alignedNanoseconds: [1, 5, 3, 5], checksum: "")
    #expect(frames.worst(3) == [1, 3, 2])
    #expect(frames.mean(of: [1, 2]) == 4)
  }
}
