/// A job of the imaging worker. The stored properties are the parameters; the picture's bytes are sent separately.
///
/// On the worker's pipes a job is a JSON-RPC request with the parameters ``JobParameters`` and the result
/// ``JobResult``.
public protocol ImagingJob: Codable, Sendable {
  /// The worker's report on the job; the output's bytes are sent separately.
  associatedtype Report: Codable & Sendable
  static var method: String { get }
  /// Whether the operator's networks take part.
  static var asksNetworks: Bool { get }
}

extension ImagingJob {
  public static var asksNetworks: Bool { false }
}

/// The parameters of the worker's requests.
public struct JobParameters<Job: ImagingJob>: Codable, Sendable {
  public var job: Job
  /// The number of input bytes that follow on the input pipe.
  public var inputBytes: Int

  public init(job: Job, inputBytes: Int) {
    self.job = job
    self.inputBytes = inputBytes
  }
}

/// The result of the worker's requests.
public struct JobResult<Report: Codable & Sendable>: Codable, Sendable {
  public var report: Report
  /// The number of output bytes that follow on the output pipe.
  public var outputBytes: Int

  public init(report: Report, outputBytes: Int) {
    self.report = report
    self.outputBytes = outputBytes
  }
}

/// The worker's steps for a headshot, in order.
public enum HeadshotStep: String, Codable, Sendable, CaseIterable {
  case decoding, locating, cropping, segmenting, matting, lighting, composing, finishing, encoding
}
