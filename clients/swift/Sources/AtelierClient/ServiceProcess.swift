import AtelierProtocol
import JSON
import JSONRPC
import POSIX

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The service as a child process: started, and ended.
final class ServiceProcess: Sendable {
  /// How long the rest of the output may take once the process has ended: something that it started may hold the pipe.
  private static let settlingLimit = Duration.seconds(1)

  private let child: SpawnedProcess
  private let log: ServiceLog
  private let terminationLimit: Duration

  private init(_ child: SpawnedProcess, log: ServiceLog, terminationLimit: Duration) {
    self.child = child
    self.log = log
    self.terminationLimit = terminationLimit
  }

  var identifier: Int32 { child.identifier }

  /// Starts `command` in a process group of its own: an interrupt typed at the terminal is for this program, which decides
  /// what it cancels. The process gets its three standard streams and no other descriptor.
  /// - Throws: `executable_not_found`, `start_failed`.
  static func start(
    _ command: [String], _ options: Studio.Options
  ) throws(AtelierError) -> (process: ServiceProcess, transport: StdioTransport) {
    let program = command.first ?? ""
    let log = ServiceLog(options.log)
    do throws(SystemError) {
      let requests = try PipeEnds()
      let answers = try PipeEnds()
      let diagnostics = try PipeEnds()
      let identifier = try PosixSpawn.start(
        program, Array(command.dropFirst()), environment: variables(with: options.environment),
        descriptors: [
          (requests.reading.number, STDIN_FILENO), (answers.writing.number, STDOUT_FILENO),
          (diagnostics.writing.number, STDERR_FILENO),
        ], operation: "start \(program)")
      let child = SpawnedProcess(identifier)
      do throws(SystemError) {
        try DedicatedThread.start { child.reap() }
        try log.read(from: diagnostics.intoReading())
        let transport = try StdioTransport(
          input: answers.intoReading().released(), output: requests.intoWriting().released(), ownsDescriptors: true,
          ignoresSIGPIPE: false)
        return (ServiceProcess(child, log: log, terminationLimit: options.terminationLimit), transport)
      } catch {
        // Nothing was asked of it yet, and nobody else knows of it.
        child.killGroup()
        throw error
      }
    } catch {
      throw notStarted(program, error)
    }
  }

  private static func variables(with changes: [String: String]) -> [String] {
    let names = Set(changes.keys)
    let inherited = ProcessEnvironment.variables.filter { !names.contains(String($0.prefix { $0 != "=" })) }
    return inherited + changes.map { "\($0.key)=\($0.value)" }
  }

  private static func notStarted(_ program: String, _ error: SystemError) -> AtelierError {
    let isExhausted = error.isOutOfDescriptors || error.code == EAGAIN || error.code == ENOMEM
    return AtelierError(isExhausted ? .startFailed : .executableNotFound, error.description, retryable: isExhausted)
  }

  /// Waits until the process has ended.
  /// - Returns: false when it has not within `limit`.
  func hasEnded(within limit: Duration) async -> Bool {
    if child.end.current != nil { return true }
    return await Deadline.reached(within: limit) { [child] in await child.end.value() }
  }

  /// Ends the process, whose input is closed: after `limit` by a signal, and then by one that it cannot ignore.
  func end(within limit: Duration) async {
    if await hasEnded(within: limit) { return }
    child.signal(SIGTERM)
    if await hasEnded(within: terminationLimit) { return }
    child.killGroup()
    _ = await child.end.value()
  }

  /// Why nothing more comes from it, once that is so.
  func loss() async -> AtelierError {
    if await hasEnded(within: Self.settlingLimit) {
      _ = await Deadline.reached(within: Self.settlingLimit) { [log] in await log.ended.value() }
    }
    let end = child.end.current
    let lines = log.lines
    var details: JSONObject = ["log": .string(lines.joined(separator: "\n"))]
    switch end {
    case .exited(let status): details["exitStatus"] = .number(JSONNumber(Int(status)))
    case .killed(let signal): details["signal"] = .number(JSONNumber(Int(signal)))
    case nil: break
    }
    return AtelierError(.connectionLost, Self.sentence(end, lines), retryable: true, details: details)
  }

  private static func sentence(_ end: SpawnedProcess.End?, _ lines: [String]) -> String {
    let sentence =
      switch end {
      case .exited(let status): "The Atelier service ended with status \(status)."
      case .killed(let signal): "The Atelier service was ended by signal \(signal)."
      case nil: "The Atelier service closed its output before it answered."
      }
    // Options that are refused are followed by lines on how to get help.
    let last = lines.last { $0.hasPrefix("Error: ") } ?? lines.last
    return last.map { "\(sentence) It said last: \($0)" } ?? sentence
  }
}

/// Waits that end.
enum Deadline {
  /// - Parameter event: must return when its task is cancelled; nil does not count as reached.
  /// - Returns: false when the event was not reached within `limit`, or the task was cancelled.
  static func reached<Value: Sendable>(
    within limit: Duration, _ event: @escaping @Sendable () async -> Value?
  ) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await event() != nil }
      group.addTask {
        try? await ContinuousClock().sleep(for: limit)
        return false
      }
      let isReached = await group.next() ?? false
      group.cancelAll()
      return isReached
    }
  }
}
