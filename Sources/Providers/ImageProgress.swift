import AtelierProtocol

/// How far a provider is with one picture.
public struct ImageProgress: Sendable, Equatable {
  public var phase: Phase
  /// One sentence for a person.
  public var message: String
  /// 0…1 of this phase, where it is known.
  public var fraction: Double?

  public init(phase: Phase, message: String, fraction: Double? = nil) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
  }
}
