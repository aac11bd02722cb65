/// A job of the imaging worker. The stored properties are the parameters; the picture's bytes go beside them.
///
/// On the worker's pipes a job is a JSON-RPC request with the parameters ``JobParameters`` and the result
/// ``JobResult``.
public protocol ImagingJob: Codable, Sendable {
  /// What the worker tells about the job's outcome; the output's bytes go beside it.
  associatedtype Report: Codable & Sendable
  static var method: String { get }
}

/// The parameters of the worker's requests.
public struct JobParameters<Job: ImagingJob>: Codable, Sendable {
  public var job: Job
  /// How many bytes of input follow on the input pipe.
  public var inputBytes: Int

  public init(job: Job, inputBytes: Int) {
    self.job = job
    self.inputBytes = inputBytes
  }
}

/// The result of the worker's requests.
public struct JobResult<Report: Codable & Sendable>: Codable, Sendable {
  public var report: Report
  /// How many bytes of output follow on the output pipe.
  public var outputBytes: Int

  public init(report: Report, outputBytes: Int) {
    self.report = report
    self.outputBytes = outputBytes
  }
}
