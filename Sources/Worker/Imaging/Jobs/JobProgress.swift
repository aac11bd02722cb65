/// The worker's notification about the job it is doing.
public struct JobProgress: Codable, Sendable, Equatable {
  public static let method = "job/progress"

  public var step: HeadshotStep
  /// The completed fraction of the whole job, 0…1, never decreasing.
  public var fraction: Double

  public init(step: HeadshotStep, fraction: Double) {
    self.step = step
    self.fraction = fraction
  }
}
