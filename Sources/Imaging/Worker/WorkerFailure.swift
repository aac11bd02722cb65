import JSONRPC

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
