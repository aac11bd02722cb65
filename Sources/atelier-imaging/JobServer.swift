import CVips
import Glibc
import Imaging
import JSON
import JSONRPC
import POSIX
import Synchronization

/// Takes the main process's requests and does them on the job thread.
final class JobServer: ConnectionHandler {
  private static let inputDescriptor: Int32 = 3
  private static let outputDescriptor: Int32 = 4
  /// More than any picture accepted; a larger number is no request of ours.
  private static let mostInputBytes = 256 << 20

  private let thread: JobThread
  private let idleWatch: IdleWatch

  init(thread: JobThread, idleWatch: IdleWatch) {
    self.thread = thread
    self.idleWatch = idleWatch
  }

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    switch request.method {
    case ProbeJob.method: accept(ProbeJob.self, request, connection)
    case PrepareJob.method: accept(PrepareJob.self, request, connection)
    case ThumbnailJob.method: accept(ThumbnailJob.self, request, connection)
    case HeadshotJob.method: accept(HeadshotJob.self, request, connection)
    case VersionsJob.method: accept(VersionsJob.self, request, connection)
    default: notUnderstood(request.method)
    }
  }

  /// Only a main process of another version asks what cannot be understood. Without knowing how much input belongs to
  /// the request there is no telling where the next one's begins, so this is the end.
  private func notUnderstood(_ reason: String) -> Never {
    try? BlockingIO.write(Array("The request is not understood: \(reason)\n".utf8), to: STDERR_FILENO)
    _exit(1)
  }

  func inputEnded(hasReader: Bool) {
    // One that leaves has nothing to compute, but perhaps an answer to write.
    if idleWatch.isLeaving { return }
    // Nobody is left to work for, whatever is being computed.
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
        thread.give { bench in
          self.perform(parameters, at: bench, connection) { continuation.resume(with: $0) }
          cvips_give_back_memory()
          self.idleWatch.jobEnds()
        }
      }
    }
  }

  private func perform<Job: WorkerJob>(
    _ parameters: JobParameters<Job>, at bench: JobContext, _ connection: Connection,
    answer: (Result<JSONValue, any Error>) -> Void
  ) {
    guard let input = try? InputBytes(reading: parameters.inputBytes, from: Self.inputDescriptor) else {
      // The main process is gone, or there would be no telling where the next input begins.
      _exit(1)
    }
    connection.notify(JobBegun.method, .object([:]))
    bench.report = { progress in
      guard let parameters = try? JSONValueEncoder().encode(progress) else { return }
      connection.notify(JobProgress.method, parameters)
    }
    Confinement.allowJob()
    do {
      let outcome = try parameters.job.perform(on: input, at: bench)
      let result = JobResult(report: outcome.report, outputBytes: outcome.output.count)
      answer(.success(try JSONValueEncoder().encode(result)))
      // The main process reads it once it knows the length; until then the pipe may be full.
      try BlockingIO.write(outcome.output, to: Self.outputDescriptor)
    } catch let error as ImagingError {
      answer(.failure(error.response))
    } catch {
      _exit(1)
    }
  }
}

/// The one thread on which jobs are done, in the order they are given. It ends with the process.
///
/// `@unchecked Sendable` holds because `waiting` is touched only between locking and unlocking `mutex`. The C objects
/// must not move, so they are allocated, and never freed: the thread uses them to the end of the process.
final class JobThread: @unchecked Sendable {
  typealias Job = @Sendable (JobContext) -> Void

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [Job] = []

  init() throws(SystemError) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrival, nil)
    // As much stack as a main thread has: the decoders were written for one.
    try DedicatedThread.start(stackBytes: 8 << 20) { [self] in
      let bench = JobContext()
      while true { next()(bench) }
    }
  }

  func give(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    waiting.append(job)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(mutex)
  }

  private func next() -> Job {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty { pthread_cond_wait(arrival, mutex) }
    return waiting.removeFirst()
  }
}

/// Tells when nothing has been asked for a while, and it is time to leave. Never in the middle of a job: a request that
/// has been seen keeps the process, and one that has not will be given to the next worker.
final class IdleWatch: Sendable {
  private struct State {
    var jobs = 0
    var idleSince: ContinuousClock.Instant
    var isLeaving = false
  }

  /// The first job is on its way when the worker starts, or will be soon; it may have to wait for a busy machine.
  private static let patienceForFirstJob = Duration.seconds(30)

  private let timeout: Duration
  private let state: Mutex<State>

  init(timeout: Duration) {
    self.timeout = timeout
    state = Mutex(State(idleSince: .now + Self.patienceForFirstJob))
  }

  /// Whether it is time to leave; no job begins any more.
  var isLeaving: Bool { state.withLock { $0.isLeaving } }

  func jobBegins() {
    state.withLock { state in
      // Whoever asks has heard the answers to what was asked before: nothing is lost.
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

  /// Returns when it is time to leave, or the task is cancelled.
  func run() async {
    var wake: ContinuousClock.Instant? = .now + timeout
    while let next = wake, (try? await ContinuousClock().sleep(until: next)) != nil {
      wake = state.withLock { state in
        let now = ContinuousClock.now
        guard state.jobs == 0 else { return now + timeout }
        // Under the lock, so that no job can begin after this.
        state.isLeaving = state.idleSince + timeout <= now
        return state.isLeaving ? nil : state.idleSince + timeout
      }
    }
  }
}
