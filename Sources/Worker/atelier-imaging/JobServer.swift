import CVips
import Glibc
import Imaging
import JSON
import JSONRPC
import Localization
import POSIX

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
    case SheetJob.method: accept(SheetJob.self, request, connection)
    case NetworksJob.method: accept(NetworksJob.self, request, connection)
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
      answer(.success(try JSONValueEncoder(sentences: .whole).encode(result)))
      // The main process reads the output once it knows the length; until then the pipe may be full.
      try BlockingIO.write(outcome.output, to: Self.outputDescriptor)
    } catch let error as ImagingError {
      answer(.failure(error.response))
    } catch {
      _exit(1)
    }
  }
}
