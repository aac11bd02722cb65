import JSON
import JSONRPC
import POSIX
import Synchronization

/// A worker and the conversation with it. Does one job at a time; the caller sees to that.
final class WorkerProcess: Sendable {
  /// No job's outcome is larger; memory is set aside for what the worker announces.
  private static let maximumOutputBytes = 256 << 20

  let child: ChildProcess
  private let connection: Connection
  private let listener: WorkerListener

  private init(child: ChildProcess, connection: Connection, listener: WorkerListener) {
    self.child = child
    self.connection = connection
    self.listener = listener
  }

  /// Starts a worker; it is asked right away and answers when it is up.
  /// - Throws: `SystemError`.
  static func launch(_ executable: String, idleTimeout: Duration) async throws -> WorkerProcess {
    let child = try await ChildProcess.launch(
      executable, arguments: ["--idle-timeout-ms", String(idleTimeout.wholeMilliseconds)],
      environment: ["LC_ALL=C.UTF-8", "MALLOC_ARENA_MAX=2"])
    let listener = WorkerListener()
    do {
      // The child process keeps the descriptors open for as long as the connection lives.
      let transport = try StdioTransport(
        input: child.responses.number, output: child.requests.number, ownsDescriptors: false)
      let connection = Connection(transport: transport, framing: .fixed(.lines), handler: listener)
      let worker = WorkerProcess(child: child, connection: connection, listener: listener)
      Task {
        _ = await connection.run()
        await connection.finish()
        withExtendedLifetime(child) {}
      }
      return worker
    } catch {
      child.kill()
      throw error
    }
  }

  /// Does one job. When the task is cancelled, the process is killed and `CancellationError` thrown at once.
  /// - Parameter progress: called on the connection's thread; must not block.
  /// - Throws: ``WorkerFailure`` or `CancellationError`.
  func perform<Job: ImagingJob>(
    _ job: Job, input: [UInt8], progress: (@Sendable (JobProgress) -> Void)?
  ) async throws -> JobOutcome<Job.Report> {
    let outcome = Outcome<JobOutcome<Job.Report>>()
    listener.begin(progress)
    // On its own, because the caller of a cancelled job does not wait until the kernel has taken the process apart.
    Task {
      do {
        outcome.settle(.success(try await converse(job, input: input)))
      } catch {
        outcome.settle(.failure(await diagnose(error)))
      }
    }
    defer { listener.end() }
    return try await outcome.wait(abandon: child.kill)
  }

  private func converse<Job: ImagingJob>(
    _ job: Job, input: [UInt8]
  ) async throws -> JobOutcome<Job.Report> {
    let parameters = try JSONValueEncoder().encode(JobParameters(job: job, inputBytes: input.count))
    let inputDescriptor = child.input.number
    let outputDescriptor = child.output.number
    async let sent: Void = DedicatedThread.run { [child] in
      defer { withExtendedLifetime(child) {} }
      try BlockingIO.write(input, to: inputDescriptor)
    }
    let answer = try await connection.request(Job.method, parameters)
    try await sent
    let result = try JSONValueDecoder(unknownMembers: .ignore).decode(JobResult<Job.Report>.self, from: answer)
    guard (0...Self.maximumOutputBytes).contains(result.outputBytes) else { throw WorkerFailure.misunderstood }
    guard result.outputBytes > 0 else { return JobOutcome(report: result.report) }
    let output = try await DedicatedThread.run { [child] in
      defer { withExtendedLifetime(child) {} }
      return try BlockingIO.read(result.outputBytes, from: outputDescriptor)
    }
    return JobOutcome(report: result.report, output: output)
  }

  /// Finds out what a broken conversation means; a dead process explains everything else.
  private func diagnose(_ error: any Error) async -> any Error {
    if let response = error as? ResponseError, response != .connectionClosed { return WorkerFailure.refused(response) }
    let hasBrokenOff = error is BlockingIO.Failure || error is ResponseError
    if !hasBrokenOff { child.kill() }
    guard let end = try? await child.end.wait(), hasBrokenOff else { return WorkerFailure.misunderstood }
    return listener.hasBegun ? WorkerFailure.endedDuringJob(end) : WorkerFailure.endedBeforeJob(end)
  }
}

/// Hears what the worker tells about the job it is doing.
final class WorkerListener: ConnectionHandler {
  private struct State {
    var hasBegun = false
    var progress: (@Sendable (JobProgress) -> Void)?
  }

  private let state = Mutex(State())

  /// True once the worker has received all of the present job's input and has begun with it.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// Expects a new job.
  func begin(_ progress: (@Sendable (JobProgress) -> Void)?) {
    state.withLock { $0 = State(hasBegun: false, progress: progress) }
  }

  /// Forgets the job's listener; nothing is reported after its end.
  func end() {
    state.withLock { $0.progress = nil }
  }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    .answered(.failure(.methodNotFound(request.method)))
  }

  func receive(_ notification: Notification, on connection: Connection) {
    switch notification.method {
    case JobBegun.method:
      state.withLock { $0.hasBegun = true }
    case JobProgress.method:
      guard let progress = state.withLock({ $0.progress }) else { return }
      let decoder = JSONValueDecoder(unknownMembers: .ignore)
      guard let step = try? decoder.decode(JobProgress.self, from: .object(notification.params)),
        (0...1).contains(step.fraction)
      else { return }
      progress(step)
    default:
      break
    }
  }
}

/// Why a job got no result from the worker.
enum WorkerFailure: Error, Sendable, Equatable {
  /// The worker refused the job, or found it impossible, and said why.
  case refused(ResponseError)
  /// The process ended before it began with the job.
  case endedBeforeJob(WorkerEnd)
  /// The process ended in the middle of the job.
  case endedDuringJob(WorkerEnd)
  /// What came was no answer to what was asked; the process has been killed.
  case misunderstood
}

/// Whose turn it is: one holds it, the others wait in the order they came. A plain value; its actor wakes them.
struct TurnQueue<Waiter> {
  typealias Ticket = UInt64

  private var isTaken = false
  private var waiting: [(ticket: Ticket, waiter: Waiter)] = []
  private var nextTicket: Ticket = 0

  mutating func drawTicket() -> Ticket {
    nextTicket += 1
    return nextTicket
  }

  /// Takes the turn when nobody holds it.
  mutating func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  mutating func wait(_ waiter: Waiter, ticket: Ticket) {
    waiting.append((ticket, waiter))
  }

  /// Leaves the queue.
  /// - Returns: nil when the ticket's turn had come already.
  mutating func leave(_ ticket: Ticket) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return waiting.remove(at: index).waiter
  }

  /// Ends the present turn.
  /// - Returns: who has the next one.
  mutating func pass() -> Waiter? {
    guard !waiting.isEmpty else {
      isTaken = false
      return nil
    }
    return waiting.removeFirst().waiter
  }
}
