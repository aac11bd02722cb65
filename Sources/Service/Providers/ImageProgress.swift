import AtelierProtocol
import Localization

/// The progress of a provider with one image.
public struct ImageProgress: Sendable, Equatable {
  public var phase: Phase
  /// What is being done.
  public var message: Sentence
  /// 0…1 of this phase, if known.
  public var fraction: Double?
  /// The places that lookups have confirmed so far; nil where there are none to tell.
  public var places: [Place]?

  public init(phase: Phase, message: Sentence, fraction: Double? = nil, places: [Place]? = nil) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.places = places
  }
}
