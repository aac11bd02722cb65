import CVips
import Glibc
import Imaging
import JSON
import JSONRPC
import POSIX
import Synchronization

/// Receives the main process's requests and gives them to the job queue.
final class JobServer: ConnectionHandler {
  private static let inputDescriptor: Int32 = 3
  private static let outputDescriptor: Int32 = 4
  /// More bytes than any accepted picture; a larger number is not from our main process.
  private static let mostInputBytes = 256 << 20

  private let jobs: JobQueue
  private let idleWatch: IdleWatch

  init(jobs: JobQueue, idleWatch: IdleWatch) {
    self.jobs = jobs
    self.idleWatch = idleWatch
  }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    switch request.method {
    case InspectJob.method: accept(InspectJob.self, request, connection)
    case PrepareJob.method: accept(PrepareJob.self, request, connection)
    case ThumbnailJob.method: accept(ThumbnailJob.self, request, connection)
    case HeadshotJob.method: accept(HeadshotJob.self, request, connection)
    case VersionsJob.method: accept(VersionsJob.self, request, connection)
    default: notUnderstood(request.method)
    }
  }

  /// Only a main process of another version sends an unintelligible request. Without the length of its input, the start
  /// of the next request's input is unknown, so the worker exits.
  private func notUnderstood(_ reason: String) -> Never {
    try? BlockingIO.write(Array("The request is not understood: \(reason)\n".utf8), to: STDERR_FILENO)
    _exit(1)
  }

  func inputEnded(hasReader: Bool) {
    // A worker that is exiting has nothing to compute, but perhaps an answer to write.
    if idleWatch.isLeaving { return }
    // No main process is left to work for, whatever is being computed.
    _exit(0)
  }

  private func accept<Job: WorkerJob>(
    _ type: Job.Type, _ request: Request, _ connection: Connection
  ) -> Disposition {
    let decoder = JSONValueDecoder(unknownMembers: .reject)
    let parameters: JobParameters<Job>
    do {
      parameters = try decoder.decode(JobParameters<Job>.self, from: .object(request.params))
    } catch {
      notUnderstood(error.message)
    }
    guard (0...Self.mostInputBytes).contains(parameters.inputBytes) else { notUnderstood("The input is too large.") }
    // Here and not in the task: from now on the worker is not idle.
    idleWatch.jobBegins()
    return .task { [self] in
      try await withCheckedThrowingContinuation { continuation in
        jobs.give { context in
          cvips_keep_memory(Job.reusesMemory)
          self.perform(parameters, at: context, connection) { continuation.resume(with: $0) }
          context.end(Job.method)
          self.idleWatch.jobEnds()
        }
      }
    }
  }

  private func perform<Job: WorkerJob>(
    _ parameters: JobParameters<Job>, at context: JobContext, _ connection: Connection,
    answer: (Result<JSONValue, any Error>) -> Void
  ) {
    guard let input = try? InputBytes(reading: parameters.inputBytes, from: Self.inputDescriptor) else {
      // The main process is gone, or the start of the next input would be unknown.
      _exit(1)
    }
    connection.notify(JobBegun.method, .object([:]))
    context.begin { progress in
      guard let parameters = try? JSONValueEncoder().encode(progress) else { return }
      connection.notify(JobProgress.method, parameters)
    }
    Confinement.allowJob()
    do {
      let outcome = try parameters.job.perform(on: input, at: context)
      let result = JobResult(report: outcome.report, outputBytes: outcome.output.count)
      answer(.success(try JSONValueEncoder().encode(result)))
      // The main process reads the output once it knows the length; until then the pipe may be full.
      try BlockingIO.write(outcome.output, to: Self.outputDescriptor)
    } catch let error as ImagingError {
      answer(.failure(error.response))
    } catch {
      _exit(1)
    }
  }
}

/// The jobs, which one thread runs in the order of arrival.
///
/// `@unchecked Sendable` holds because `waiting` is touched only between locking and unlocking `mutex`. The C objects
/// must not move, so they are allocated, and never freed: the thread uses them to the end of the process.
final class JobQueue: @unchecked Sendable {
  typealias Job = @Sendable (JobContext) -> Void

  /// How long after the last job the memory of the jobs before is given back.
  private static let quietTime = Duration.seconds(1)

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [Job] = []

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(arrival, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  func give(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    waiting.append(job)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(mutex)
  }

  /// Runs the jobs on the calling thread, to the end of the process.
  /// - Parameter leave: called once, when the worker has been idle long enough to exit.
  func run(at context: JobContext, _ idleWatch: IdleWatch, leave: () -> Void) -> Never {
    while true {
      if let job = next(within: Self.quietTime) {
        job(context)
        continue
      }
      cvips_keep_memory(false)
      while true {
        if let job = next(within: idleWatch.timeToNextLook) {
          job(context)
          break
        }
        if idleWatch.look() { leave() }
      }
    }
  }

  /// - Parameter limit: for how long to wait; nil for as long as it takes.
  /// - Returns: nil when the time is over.
  private func next(within limit: Duration?) -> Job? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let limit {
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let (seconds, attoseconds) = limit.components
      let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
      end = timespec(tv_sec: end.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      while waiting.isEmpty, pthread_cond_timedwait(arrival, mutex, &end) == 0 {}
    } else {
      while waiting.isEmpty { pthread_cond_wait(arrival, mutex) }
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}

/// Determines when the worker has been idle long enough to exit. It never exits during a job: a request that it has
/// seen keeps it alive, and any other goes to the next worker.
final class IdleWatch: Sendable {
  private struct State {
    var jobs = 0
    var idleSince: ContinuousClock.Instant
    var isLeaving = false
  }

  /// The first job is sent when the worker starts or soon after; on a busy machine it may take a while.
  private static let maximumWaitForFirstJob = Duration.seconds(30)

  private let timeout: Duration
  private let state: Mutex<State>

  init(timeout: Duration) {
    self.timeout = timeout
    state = Mutex(State(idleSince: .now + Self.maximumWaitForFirstJob))
  }

  /// Whether to exit now; afterwards no job begins any more.
  var isLeaving: Bool { state.withLock { $0.isLeaving } }

  func jobBegins() {
    state.withLock { state in
      // The main process has received all earlier answers before it sends a new request, so nothing is lost.
      if state.isLeaving { _exit(0) }
      state.jobs += 1
    }
  }

  func jobEnds() {
    state.withLock { state in
      state.jobs -= 1
      state.idleSince = .now
    }
  }

  /// How long nothing can change without a job; nil once the worker is leaving.
  var timeToNextLook: Duration? {
    state.withLock { state in
      if state.isLeaving { return nil }
      return state.jobs > 0 ? timeout : max(.zero, state.idleSince + timeout - .now)
    }
  }

  /// - Returns: true when the worker must exit from now on.
  func look() -> Bool {
    state.withLock { state in
      // Under the lock, so that no job can begin afterwards.
      if state.jobs == 0, !state.isLeaving, state.idleSince + timeout <= .now { state.isLeaving = true }
      return state.isLeaving
    }
  }
}
