/// What becomes of a request while its provider cannot be reached (REQUIREMENTS 4.4).
public enum OfflinePolicy: String, Codable, Sendable, CaseIterable {
  case fail
  /// Wait in the durable queue.
  case queue
}
