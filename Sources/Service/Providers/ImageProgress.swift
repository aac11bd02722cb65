import AtelierProtocol

/// The progress of a provider with one image.
public struct ImageProgress: Sendable, Equatable {
  public var phase: Phase
  /// One human-readable sentence.
  public var message: String
  /// 0…1 of this phase, if known.
  public var fraction: Double?

  public init(phase: Phase, message: String, fraction: Double? = nil) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
  }
}
