import AtelierProtocol
import Localization

/// The progress of a running generation, for other processes that request its `status`.
public struct ProgressNote: Sendable, Equatable {
  public var phase: Phase
  /// One human-readable sentence.
  public var message: Sentence
  /// 0…1; nil when unknown.
  public var fraction: Double?
  /// Strictly increasing; a note older than the stored one changes nothing.
  public var sequence: Int64

  public init(phase: Phase, message: Sentence, fraction: Double? = nil, sequence: Int64) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.sequence = sequence
  }

  /// The fraction as its column stores it.
  var storedFraction: Double? { fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }
}
