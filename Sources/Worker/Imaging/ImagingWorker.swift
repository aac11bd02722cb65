import AtelierProtocol
import Glibc
import POSIX

/// The main process's handle on the process that handles untrusted pixels: only that one decodes them.
///
/// The first job or ``warmUp()`` starts the worker. It stays warm, exits when idle, and is started again by the next
/// job. Jobs run one at a time, in the order of the calls. A picture that crashes the worker fails only its own job.
///
/// Every job throws ``ImagingError``, or `CancellationError` when its task is cancelled: the worker of a running job
/// is killed at once, a waiting job only leaves the queue. `deadline` counts from the time the job's turn comes; a job
/// that exceeds it is killed and fails with `timed_out`.
public actor ImagingWorker {
  private typealias Turn = CheckedContinuation<Void, any Error>

  private let executable: String
  private let options: WorkerOptions
  let log: @Sendable (String) -> Void
  var networks: NetworkSupply
  private let clock: any Clock<Duration>
  private var turns = TurnQueue<Turn>()
  private var process: WorkerProcess?
  private var shutDowns = 0
  private var hasRetired = false
  /// How many workers were started in place of one that died or was killed; one that exits when idle does not count.
  public private(set) var restarts = 0
  /// The standard error output of the last worker that failed to start, such as the name of a missing library; for
  /// operators only, because it may contain paths.
  public private(set) var startupDiagnostics = ""
  private let reportedConfinement = ConfinementReport()

  /// - Parameters:
  ///   - executable: the path of `atelier-imaging`; see ``locate()``.
  ///   - networks: those of the operator, which take part in headshots.
  ///   - clock: measures the deadlines.
  ///   - log: receives what an operator must know, a line each.
  public init(
    executable: String, options: WorkerOptions = WorkerOptions(), networks: NetworkCatalogue? = nil,
    clock: any Clock<Duration> = SteppedClock(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.executable = executable
    self.options = options
    self.networks = NetworkSupply(networks)
    self.clock = clock
    self.log = log
  }

  /// How the worker that started last is confined; nil before the first has reported it.
  public nonisolated var confinement: WorkerConfinement? { reportedConfinement.latest }

  /// Starts the worker, so that the first job need not wait for it; returns when its process has started, or when a job
  /// is already running. The first job reports any failure.
  public func warmUp() async {
    guard livingProcess == nil, turns.takeIfFree() else { return }
    defer { passTurn() }
    let before = shutDowns
    guard let worker = try? await launch() else { return }
    if shutDowns != before { retire(worker) }
  }

  /// The process id of the worker; nil when none is running.
  public var processIdentifier: Int32? { livingProcess?.child.processIdentifier }

  /// How long a job may take: far longer than the largest photo does, even on a machine that is busy with much else. What
  /// takes longer hangs.
  public static let usualDeadline = Duration.seconds(20)

  /// Reads a picture's header without decoding pixels.
  public func inspect(
    _ bytes: [UInt8], limits: ImageLimits = .preparation, deadline: Duration = ImagingWorker.usualDeadline
  ) async throws -> ImageInfo {
    try await run(InspectJob(limits: limits), input: bytes, deadline: deadline).report
  }

  /// Prepares a picture to be sent. A picture that fits and contains nothing private is returned unchanged.
  public func prepare(
    _ bytes: [UInt8], options: PrepareJob = PrepareJob(), deadline: Duration = ImagingWorker.usualDeadline
  ) async throws -> PreparedImage {
    let outcome = try await run(options, input: bytes, deadline: deadline)
    return PreparedImage(outcome.report, input: bytes, output: outcome.output)
  }

  /// Makes a small JPEG, or a PNG; smaller pictures keep their size.
  /// - Parameters:
  ///   - longestSide: in pixels.
  ///   - watermark: is drawn over all of the small picture.
  public func thumbnail(
    _ bytes: [UInt8], longestSide: Int, isPNG: Bool = false, watermark: WatermarkFile? = nil,
    deadline: Duration = ImagingWorker.usualDeadline
  ) async throws -> EncodedImage {
    let mark = watermark?.bytes ?? []
    let outcome = try await run(
      ThumbnailJob(longestSide: longestSide, isPNG: isPNG, watermarkBytes: mark.count), input: bytes + mark,
      deadline: deadline)
    return EncodedImage(
      bytes: outcome.output, format: isPNG ? .png : .jpeg, width: outcome.report.width, height: outcome.report.height)
  }

  /// Makes a headshot with the networks on this machine.
  /// - Parameter progress: the current step, and the completed fraction of the whole, 0…1; called on the connection's
  ///   thread, so it must not block.
  public func headshot(
    _ bytes: [UInt8], options: HeadshotJob, deadline: Duration = ImagingWorker.usualDeadline,
    progress: @escaping @Sendable (HeadshotStep, Double) -> Void = { _, _ in }
  ) async throws -> HeadshotImage {
    let outcome = try await run(options, input: bytes, deadline: deadline) { progress($0.step, $0.fraction) }
    let report = outcome.report
    tell(report.failedNetworks ?? [])
    let output = outcome.output
    guard (0...output.count).contains(report.pictureBytes),
      (0...output.count - report.pictureBytes).contains(report.matteBytes)
    else { throw Self.crashed(.misunderstood) }
    let matteEnd = report.pictureBytes + report.matteBytes
    let image = EncodedImage(
      bytes: Array(output[..<report.pictureBytes]), format: report.format, width: report.width,
      height: report.height)
    let prepared = report.prepared.map {
      PreparedImage($0, input: bytes, output: Array(output[matteEnd...]))
    }
    var made = HeadshotImage(image: image, original: report.original, warnings: report.warnings, prepared: prepared)
    if report.matteBytes > 0 {
      made.matte = EncodedImage(
        bytes: Array(output[report.pictureBytes..<matteEnd]), format: .png, width: report.width, height: report.height)
    }
    return made
  }

  /// Puts copies of a picture on a sheet of paper, as a PDF or a JPEG.
  public func sheet(
    _ bytes: [UInt8], options: SheetJob, deadline: Duration = ImagingWorker.usualDeadline
  ) async throws -> EncodedSheet {
    let outcome = try await run(options, input: bytes, deadline: deadline)
    return EncodedSheet(
      bytes: outcome.output, format: options.format, width: outcome.report.width, height: outcome.report.height)
  }

  /// Decodes a watermark, which nothing else does before the first picture that is shown with it.
  /// - Throws: `invalid_image` when it cannot be decoded, and what every job throws.
  public func check(_ watermark: WatermarkFile) async throws {
    _ = try await thumbnail(watermark.bytes, longestSide: WatermarkFile.sides.lowerBound)
  }

  /// The worker's versions, and whether its installation is complete.
  public func versions(deadline: Duration = ImagingWorker.usualDeadline) async throws -> VersionsJob.Report {
    try await run(VersionsJob(), input: [], deadline: deadline).report
  }

  /// Ends the worker and waits until its process has ended. A running job throws `CancellationError`; jobs that wait
  /// in the queue, and later ones, start a new worker.
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
        // If the task was cancelled before this point, the handler found no continuation in the queue.
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
  func run<Job: ImagingJob>(
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

  /// Gives the job to the worker, or to a new one if the current worker has exited or died in the meantime.
  private func performOnLivingWorker<Job: ImagingJob>(
    _ job: Job, input: [UInt8], progress: (@Sendable (JobProgress) -> Void)?
  ) async throws -> JobOutcome<Job.Report> {
    var fresh = false
    var leavings = 0
    // The networks with which a worker ended during this job. Without them, the next one shows what was to blame.
    var setAside: [OperatorNetwork] = []
    while true {
      // Checked before a worker is involved: a job cancelled this early needs none, and must not kill the warm one.
      try Task.checkCancellation()
      let worker: WorkerProcess
      if let livingProcess {
        worker = livingProcess
      } else {
        worker = try await launch()
        fresh = true
      }
      do {
        if Job.asksNetworks, let fatal = try await equip(worker, without: setAside) {
          // Nothing is to blame for a worker that was shut down.
          guard process === worker else { throw CancellationError() }
          retire(worker)
          suspend(fatal)
          continue
        }
        // Progress does not go back.
        let outcome = try await worker.perform(job, input: input, progress: setAside.isEmpty ? progress : nil)
        suspend(setAside)
        return outcome
      } catch let failure as WorkerFailure {
        if case .refused(let response) = failure {
          suspend(setAside)
          throw ImagingError(response)
        }
        // The worker was released in the meantime: it was shut down.
        guard process === worker else { throw CancellationError() }
        retire(worker)
        let violation = ConfinementViolation(failure, of: worker)
        if let violation { log(violation.sentence) }
        guard case .endedBeforeJob(let end) = failure else {
          let given = Job.asksNetworks ? networks.given(to: worker) : []
          guard setAside.isEmpty, !given.isEmpty else { throw violation?.error ?? Self.crashed(failure) }
          setAside = given
          continue
        }
        // An idle worker may have exited or died while the job was being sent. So may a new worker on a machine that is
        // busy for longer than the idle time, but hardly several times in a row.
        leavings += 1
        if fresh, end != .exited(status: 0) || leavings > 5 {
          if end == .exited(status: WorkerEnd.tooLittleConfinementStatus), let confinement {
            throw Self.confinedTooLittle(confinement, minimum: options.minimumConfinement)
          }
          startupDiagnostics = violation?.sentence ?? worker.child.diagnosticText()
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
      let launched = try await WorkerProcess.launch(
        executable, options: options, ready: reportedConfinement.record)
      process = launched
      if hasRetired { restarts += 1 }
      hasRetired = false
      return launched
    } catch {
      throw Self.notStarted(error)
    }
  }

  private func retire(_ worker: WorkerProcess) {
    if case .success(.exited(status: 0)) = worker.child.end.current {} else { hasRetired = true }
    worker.child.kill()
    if process === worker { process = nil }
  }
}

extension PreparedImage {
  /// - Parameter input: the picture, which is the result when nothing was changed.
  fileprivate init(_ report: PrepareJob.Report, input: [UInt8], output: [UInt8]) {
    let image = EncodedImage(
      bytes: report.changes.isEmpty ? input : output, format: report.format, width: report.width, height: report.height)
    self.init(image: image, original: report.original, changes: report.changes, warnings: report.warnings)
  }
}

extension ImagingWorker {
  /// Finds the worker's executable: next to the running one, or in `../libexec/atelier` of its folder.
  /// - Throws: `internal` when it is in neither place.
  public static func locate() throws(ImagingError) -> String {
    if let folder = executableFolder {
      for candidate in ["\(folder)/atelier-imaging", "\(folder)/../libexec/atelier/atelier-imaging"]
      where access(candidate, X_OK) == 0 {
        return candidate
      }
    }
    throw ImagingError(
      .internal, Self.unusable,
      hint: "A part of Atelier is missing: atelier-imaging. Reinstall Atelier, or run `atelier doctor`.")
  }

  /// The folder of the running executable, with links resolved.
  private static var executableFolder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    let path = buffer[..<length].map(UInt8.init(bitPattern:))
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(validating: path[..<slash], as: UTF8.self)
  }
}
