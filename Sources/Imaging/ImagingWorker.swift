import AtelierProtocol
import Glibc

/// The process that touches untrusted pixels, as seen from the main process (ARCHITECTURE, decision 6).
///
/// It is started by the first job or ``warmUp()``, stays warm, leaves by itself when idle, and is started again by the
/// next job. Jobs are done one at a time, in the order they were asked for. A picture that crashes the worker costs its
/// own job one error; nobody else notices.
///
/// Every job throws ``ImagingError``, or `CancellationError` when its task is cancelled: a running job's worker is
/// killed at once, a waiting job only leaves the queue. `deadline` counts from the moment the job's turn comes; a job
/// that exceeds it is killed and fails with `timed_out`.
public actor ImagingWorker {
  private typealias Turn = CheckedContinuation<Void, any Error>

  private let executable: String
  private let idleTimeout: Duration
  private let clock: any Clock<Duration>
  private var turns = TurnQueue<Turn>()
  private var process: WorkerProcess?
  private var shutDowns = 0
  /// What the last worker that did not start wrote to its standard error, such as the library it misses; for an
  /// operator's eyes only, because it may name paths.
  public private(set) var startupDiagnostics = ""

  /// - Parameters:
  ///   - executable: the path of `atelier-imaging`; see ``locate()``.
  ///   - idleTimeout: how long the worker stays when nothing is asked of it.
  ///   - clock: measures the deadlines.
  public init(
    executable: String, idleTimeout: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.executable = executable
    self.idleTimeout = idleTimeout
    self.clock = clock
  }

  /// Starts the worker, so that the first job need not wait for it; returns when its process is there, or a job is at
  /// it already. What goes wrong is told to the first job.
  public func warmUp() async {
    guard livingProcess == nil, turns.takeIfFree() else { return }
    defer { passTurn() }
    let before = shutDowns
    guard let worker = try? await launch() else { return }
    if shutDowns != before { retire(worker) }
  }

  /// The process id of the worker, nil when none is running.
  public var processIdentifier: Int32? { livingProcess?.child.processIdentifier }

  /// Reads a picture's header: no pixel is decoded.
  public func probe(
    _ bytes: [UInt8], limits: ImageLimits = .preparation, deadline: Duration = .seconds(5)
  ) async throws -> ImageInfo {
    try await run(ProbeJob(limits: limits), input: bytes, deadline: deadline).report
  }

  /// Makes a picture fit to be sent (REQUIREMENTS 2.4). One that fits and carries nothing private comes back
  /// untouched.
  public func prepare(
    _ bytes: [UInt8], options: PrepareJob = PrepareJob(), deadline: Duration = .seconds(5)
  ) async throws -> PreparedImage {
    let outcome = try await run(options, input: bytes, deadline: deadline)
    let report = outcome.report
    let image = EncodedImage(
      bytes: report.changes.isEmpty ? bytes : outcome.output, format: report.format, width: report.width,
      height: report.height)
    return PreparedImage(image: image, original: report.original, changes: report.changes)
  }

  /// Makes a small JPEG; smaller pictures keep their size.
  /// - Parameter longestSide: in pixels.
  public func thumbnail(
    _ bytes: [UInt8], longestSide: Int, deadline: Duration = .seconds(5)
  ) async throws -> EncodedImage {
    let outcome = try await run(ThumbnailJob(longestSide: longestSide), input: bytes, deadline: deadline)
    return EncodedImage(
      bytes: outcome.output, format: .jpeg, width: outcome.report.width, height: outcome.report.height)
  }

  /// Makes a headshot with the networks on this machine (REQUIREMENTS 3.1).
  /// - Parameter progress: what is being done, and how much of the whole is done, 0…1; called on the connection's
  ///   thread, so it must not block.
  public func headshot(
    _ bytes: [UInt8], options: HeadshotJob, deadline: Duration = .seconds(20),
    progress: @escaping @Sendable (HeadshotStep, Double) -> Void = { _, _ in }
  ) async throws -> HeadshotImage {
    let outcome = try await run(options, input: bytes, deadline: deadline) { progress($0.step, $0.fraction) }
    let report = outcome.report
    let image = EncodedImage(bytes: outcome.output, format: .jpeg, width: report.width, height: report.height)
    return HeadshotImage(image: image, original: report.original, warnings: report.warnings)
  }

  /// What the worker is made of, and whether it is whole.
  public func versions(deadline: Duration = .seconds(5)) async throws -> VersionsJob.Report {
    try await run(VersionsJob(), input: [], deadline: deadline).report
  }

  /// Ends the worker and waits until it is gone. A running job throws `CancellationError`; those that wait in the
  /// queue, and later ones, would start a new worker.
  public func shutDown() async {
    shutDowns += 1
    guard let process else { return }
    self.process = nil
    process.child.kill()
    _ = try? await process.child.end.wait()
  }

  // MARK: - Turns

  private func takeTurn() async throws {
    try Task.checkCancellation()
    if turns.takeIfFree() { return }
    let ticket = turns.drawTicket()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Turn) in
        // Cancelled before this point, the handler finds nobody in the queue.
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          turns.wait(continuation, ticket: ticket)
        }
      }
    } onCancel: {
      Task { await self.leaveQueue(ticket) }
    }
  }

  private func leaveQueue(_ ticket: TurnQueue<Turn>.Ticket) {
    turns.leave(ticket)?.resume(throwing: CancellationError())
  }

  private func passTurn() {
    turns.pass()?.resume()
  }

  // MARK: - Jobs

  /// Waits for the job's turn and does it within its deadline.
  private func run<Job: ImagingJob>(
    _ job: Job, input: [UInt8], deadline: Duration, progress: (@Sendable (JobProgress) -> Void)? = nil
  ) async throws -> JobOutcome<Job.Report> {
    try await takeTurn()
    defer { passTurn() }
    let clock = clock
    return try await withThrowingTaskGroup(of: Optional<JobOutcome<Job.Report>>.self) { group in
      group.addTask { try await self.performOnLivingWorker(job, input: input, progress: progress) }
      group.addTask {
        try await clock.sleep(for: deadline)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let outcome = first else { throw Self.timedOut(deadline) }
      return outcome
    }
  }

  /// Gives the job to the worker, and to a new one when the present one has left or died in the meantime.
  private func performOnLivingWorker<Job: ImagingJob>(
    _ job: Job, input: [UInt8], progress: (@Sendable (JobProgress) -> Void)?
  ) async throws -> JobOutcome<Job.Report> {
    var fresh = false
    var leavings = 0
    while true {
      // Before a worker is touched: a job cancelled this early needs none, and must not cost the warm one.
      try Task.checkCancellation()
      let worker: WorkerProcess
      if let livingProcess {
        worker = livingProcess
      } else {
        worker = try await launch()
        fresh = true
      }
      do {
        return try await worker.perform(job, input: input, progress: progress)
      } catch let failure as WorkerFailure {
        if case .refused(let response) = failure { throw ImagingError(response) }
        // Somebody has let go of the worker in the meantime: it was shut down.
        guard process === worker else { throw CancellationError() }
        retire(worker)
        guard case .endedBeforeJob(let end) = failure else { throw Self.crashed(failure) }
        // One that had been idle may have left, or died, with the job on its way. So may a new one on a machine that is
        // busy for longer than its idle time, but hardly again and again.
        leavings += 1
        if fresh, end != .exited(status: 0) || leavings > 5 {
          startupDiagnostics = worker.child.diagnosticText()
          throw Self.notStarted(end)
        }
      } catch {
        retire(worker)
        throw error
      }
    }
  }

  /// The worker, unless it has ended.
  var livingProcess: WorkerProcess? {
    guard let process, process.child.end.current == nil else { return nil }
    return process
  }

  private func launch() async throws -> WorkerProcess {
    do {
      let launched = try await WorkerProcess.launch(executable, idleTimeout: idleTimeout)
      process = launched
      return launched
    } catch {
      throw Self.notStarted(error)
    }
  }

  private func retire(_ worker: WorkerProcess) {
    worker.child.kill()
    if process === worker { process = nil }
  }
}

extension ImagingWorker {
  /// The worker's executable: beside the running one, or in `../libexec/atelier` of its folder.
  /// - Throws: `internal` when it is in neither place.
  public static func locate() throws(ImagingError) -> String {
    if let folder = executableFolder {
      for candidate in ["\(folder)/atelier-imaging", "\(folder)/../libexec/atelier/atelier-imaging"]
      where access(candidate, X_OK) == 0 {
        return candidate
      }
    }
    throw ImagingError(
      .internal, "A part of Atelier is missing: atelier-imaging. Please reinstall Atelier, or run `atelier doctor`.")
  }

  /// The folder of the running executable, links followed.
  private static var executableFolder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    let path = buffer[..<length].map(UInt8.init(bitPattern:))
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: path[..<slash], as: UTF8.self)
  }
}
