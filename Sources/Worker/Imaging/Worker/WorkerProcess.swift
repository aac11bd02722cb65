import AtelierProtocol
import JSON
import JSONRPC
import POSIX
import Synchronization

/// A worker and the connection to it. Runs one job at a time; the caller must ensure that.
final class WorkerProcess: Sendable {
  /// No job has a larger result; memory is reserved for the size that the worker announces.
  private static let maximumOutputBytes = 256 << 20

  let child: ChildProcess
  private let connection: Connection
  private let listener: WorkerListener

  private init(child: ChildProcess, connection: Connection, listener: WorkerListener) {
    self.child = child
    self.connection = connection
    self.listener = listener
  }

  /// Starts a worker; requests can be sent at once and are answered when it is ready.
  /// - Parameter ready: receives how the worker is confined, before it answers its first request.
  /// - Throws: `SystemError`.
  static func launch(
    _ executable: String, options: WorkerOptions, ready: @escaping @Sendable (WorkerConfinement) -> Void
  ) async throws -> WorkerProcess {
    let child = try await ChildProcess.launch(
      executable, arguments: options.arguments, environment: ["LC_ALL=C.UTF-8", "MALLOC_ARENA_MAX=2"])
    let listener = WorkerListener(ready: ready)
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

  /// Runs one job. When the task is cancelled, the process is killed and `CancellationError` thrown at once.
  /// - Parameter progress: called on the connection's thread; must not block.
  /// - Throws: ``WorkerFailure`` or `CancellationError`.
  func perform<Job: ImagingJob>(
    _ job: Job, input: [UInt8], progress: (@Sendable (JobProgress) -> Void)?
  ) async throws -> JobOutcome<Job.Report> {
    let outcome = Outcome<JobOutcome<Job.Report>>()
    listener.begin(progress)
    // In its own task, because the caller of a cancelled job does not wait until the kernel has ended the process.
    Task {
      do {
        outcome.set(.success(try await converse(job, input: input)))
      } catch {
        outcome.set(.failure(await diagnose(error)))
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
    async let sent: Void = LazyThreadPool.workers.run { [child] in
      defer { withExtendedLifetime(child) {} }
      try BlockingIO.write(input, to: inputDescriptor)
    }
    let answer = try await connection.request(Job.method, parameters)
    try await sent
    let result = try JSONValueDecoder(unknownMembers: .ignore).decode(JobResult<Job.Report>.self, from: answer)
    guard (0...Self.maximumOutputBytes).contains(result.outputBytes) else { throw WorkerFailure.misunderstood }
    guard result.outputBytes > 0 else { return JobOutcome(report: result.report) }
    let output = try await LazyThreadPool.workers.run { [child] in
      defer { withExtendedLifetime(child) {} }
      return try BlockingIO.read(result.outputBytes, from: outputDescriptor)
    }
    return JobOutcome(report: result.report, output: output)
  }

  /// Determines the cause of a broken connection; a dead process explains every other error.
  private func diagnose(_ error: any Error) async -> any Error {
    if let response = error as? ResponseError, response != .connectionClosed { return WorkerFailure.refused(response) }
    let hasBrokenOff = error is BlockingIO.Failure || error is ResponseError
    if !hasBrokenOff { child.kill() }
    guard let end = try? await child.end.wait(), hasBrokenOff else { return WorkerFailure.misunderstood }
    return listener.hasBegun ? WorkerFailure.endedDuringJob(end) : WorkerFailure.endedBeforeJob(end)
  }
}

/// Receives the worker's notifications about the current job.
final class WorkerListener: ConnectionHandler {
  private struct State {
    var isReady = false
    var hasBegun = false
    var progress: (@Sendable (JobProgress) -> Void)?
  }

  private let state = Mutex(State())
  private let ready: @Sendable (WorkerConfinement) -> Void

  init(ready: @escaping @Sendable (WorkerConfinement) -> Void) {
    self.ready = ready
  }

  /// True once the worker has received all of the current job's input and has begun the job.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// Prepares for a new job.
  func begin(_ progress: (@Sendable (JobProgress) -> Void)?) {
    state.withLock { state in
      state.hasBegun = false
      state.progress = progress
    }
  }

  /// Releases the job's progress handler; nothing is reported after the job ends.
  func end() {
    state.withLock { $0.progress = nil }
  }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    .answered(.failure(.methodNotFound(request.method)))
  }

  func receive(_ notification: Notification, on connection: Connection) {
    switch notification.method {
    case WorkerReady.method:
      let decoder = JSONValueDecoder(unknownMembers: .ignore)
      // Only the first message is the worker's own for certain: it has seen no picture yet.
      let isFirst = state.withLock { state in
        defer { state.isReady = true }
        return !state.isReady
      }
      guard isFirst, let message = try? decoder.decode(WorkerReady.self, from: .object(notification.params)) else {
        return
      }
      ready(message.confinement)
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
  /// The worker refused the job, or found it impossible, and gave the reason.
  case refused(ResponseError)
  /// The process ended before it began with the job.
  case endedBeforeJob(WorkerEnd)
  /// The process ended during the job.
  case endedDuringJob(WorkerEnd)
  /// The response does not match the request; the process has been killed.
  case misunderstood
}

/// A queue of turns: one holder, the others wait in order of arrival. A plain value; its actor resumes them.
struct TurnQueue<Waiter> {
  typealias Ticket = UInt64

  private var isTaken = false
  private var waiting: [(ticket: Ticket, waiter: Waiter)] = []
  private var nextTicket: Ticket = 0

  mutating func drawTicket() -> Ticket {
    nextTicket += 1
    return nextTicket
  }

  /// Takes the turn if it is free.
  mutating func takeIfFree() -> Bool {
    guard !isTaken else { return false }
    isTaken = true
    return true
  }

  mutating func wait(_ waiter: Waiter, ticket: Ticket) {
    waiting.append((ticket, waiter))
  }

  /// Leaves the queue.
  /// - Returns: nil when the ticket's turn had already come.
  mutating func leave(_ ticket: Ticket) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return waiting.remove(at: index).waiter
  }

  /// Ends the current turn.
  /// - Returns: the waiter that has the next turn.
  mutating func pass() -> Waiter? {
    guard !waiting.isEmpty else {
      isTaken = false
      return nil
    }
    return waiting.removeFirst().waiter
  }
}
