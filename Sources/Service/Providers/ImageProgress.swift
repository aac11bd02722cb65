import AtelierProtocol
import Localization

/// The progress of a provider with one image.
public struct ImageProgress: Sendable, Equatable {
  public var phase: Phase
  /// What is being done.
  public var message: Sentence
  /// 0…1 of this phase, if known.
  public var fraction: Double?

  public init(phase: Phase, message: Sentence, fraction: Double? = nil) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
  }
}
