import JSONRPC

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
