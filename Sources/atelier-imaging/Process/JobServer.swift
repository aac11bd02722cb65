import CVips
import Glibc
import Imaging
import JSONRPC

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
    _ parameters: JobParameters<Job>, at bench: Workbench, _ connection: Connection,
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
