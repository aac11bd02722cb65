/// Where a generation stands (PROTOCOL 3).
public enum GenerationState: String, Codable, Sendable, CaseIterable {
  /// Durably accepted, waiting for a free place or for the network.
  case queued
  case running
  case succeeded
  /// Some of the pictures are there, others failed.
  case partial
  case failed
  case cancelled
  /// The service died while it was running; nothing was charged.
  case interrupted
  /// It waited too long to be started.
  case expired

  /// True when nothing can change any more: credits settled, files durable, one final answer given.
  public var isFinal: Bool { self != .queued && self != .running }
}
