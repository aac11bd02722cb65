/// What came of a job: the report, and the bytes of the picture made, if one was.
public struct JobOutcome<Report: Codable & Sendable>: Sendable {
  public var report: Report
  public var output: [UInt8]

  public init(report: Report, output: [UInt8] = []) {
    self.report = report
    self.output = output
  }
}
