/// Why a purchase or a tier granted fewer credits than it gives. More values may be added.
public enum ReducedGrant: String, Codable, Sendable, CaseIterable {
  /// The same request was made before, and granted then what it gives.
  case alreadyGranted = "already_granted"
  /// A month of the same subscription is running: its credits were granted when it began, for another purchase or before an
  /// interruption.
  case monthRunning = "month_running"
  /// A month of another plan is running: what this plan gives beyond it was granted, which may be nothing.
  case planChanged = "plan_changed"
  /// The month begins later, or follows the running one: its credits are granted then.
  case notStarted = "not_started"
}
