import AtelierProtocol
import JSON
import JSONRPC
import POSIX

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
