import CProcessControl
import FoundationEssentials
import Glibc
import TextFormat

extension Worker {
  /// Serves one request: reads it, does the work, and writes the answer.
  func serve(_ pipes: WorkerPipes) throws {
    let request: WorkerRequest
    do { request = try WorkerRequest(line: try pipes.readLine()) } catch let error as WorkerProtocolError {
      return try pipes.write(.failed(reason: error.description))
    }
    // If the benchmark is unknown, the outcome below reports that.
    let coreCount = suite.scenario(of: request.benchmark)?.options.cores ?? 1
    // Pinning a thread changes which cores are allowed, so the allowed cores are read first.
    let cores = request.core.map { WorkerCores(coreCount, first: $0, allowed: WorkerCores.allowed ?? []) }
    if let turns = request.turns { return try takeTurns(request, turns, cores, pipes) }
    let isPinned = cores.map { WorkerCores.pin($0.measuring) } ?? false
    var outcome = reply(to: request).outcome
    if case .measured(var measurement) = outcome {
      measurement.isPinned = isPinned
      measurement.processNanoseconds = ProcessUsage.processNanoseconds()
      outcome = .measured(measurement)
    }
    try pipes.write(outcome)
  }

  /// Answers commands until the end of the stream. The worker sleeps while it waits, so that other processes can use
  /// the core.
  private func takeTurns(_ request: WorkerRequest, _ turns: TurnOptions, _ cores: WorkerCores?, _ pipes: WorkerPipes)
    throws
  {
    // If another program delays this process in its turn, all processes that take turns wait. So this process raises
    // its priority, which only root may do.
    process_control_raise_priority(-10)
    if let cores, cores.measuring.count > 1 {
      _ = WorkerCores.pin(cores.spare.isEmpty ? cores.measuring : cores.spare)
    } else if let core = turns.preparationCore ?? request.core {
      _ = WorkerCores.pin([core])
    }
    let worker: TurnWorker
    do { worker = try TurnWorker(suite, request, turns) } catch {
      return try pipes.write(.failed(reason: oneLine("\(error)")))
    }
    var readiness = worker.readiness
    if let cores, cores.measuring.count > 1, cores.spare.isEmpty { readiness.usesAllCores = true }
    try pipes.write(.ready(readiness))
    var isPinned = false
    while let command = TurnCommand(bytes: try pipes.readCommand()) {
      if !isPinned, let cores {
        // Pins all threads, including those that set-up started.
        _ = WorkerCores.pin(cores.measuring)
        isPinned = true
      }
      try pipes.write(try worker.answer(to: command).bytes)
    }
  }
}

struct WorkerPipes {
  private let input: Int32
  private let output: Int32

  init() throws(PassError) {
    var (questions, answers) = (Int32(-1), Int32(-1))
    guard process_control_take_protocol(&questions, &answers) else {
      throw PassError("stdin and stdout do not lead to springbench")
    }
    (input, output) = (questions, answers)
  }

  /// Reads the bytes of a command, or fewer at the end of the stream.
  func readCommand() throws(PassError) -> [UInt8] { try read { TurnCommand.byteCount - $0.count } }

  /// Reads until a chunk of bytes contains a line feed, or until the stream ends.
  func readLine() throws(PassError) -> Data { Data(try read { $0.contains(UInt8(ascii: "\n")) ? 0 : 65_536 }) }

  /// Reads until `room` returns 0 or the stream ends.
  /// - Parameter room: Returns the number of bytes to read next, given the bytes read so far.
  private func read(_ room: ([UInt8]) -> Int) throws(PassError) -> [UInt8] {
    var bytes: [UInt8] = []
    while room(bytes) > 0 {
      var chunk = [UInt8](repeating: 0, count: room(bytes))
      let length = Glibc.read(input, &chunk, chunk.count)
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw Self.failure("the request cannot be read") }
      if length == 0 { break }
      bytes += chunk[..<length]
    }
    return bytes
  }

  func write(_ outcome: WorkerReply.Outcome) throws { try write(try WorkerReply(outcome: outcome).line()) }

  func write(_ bytes: some Collection<UInt8>) throws(PassError) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("the answer cannot be written") }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ duty: String) -> PassError { PassError("\(duty): \(String(cString: strerror(errno)))") }
}
