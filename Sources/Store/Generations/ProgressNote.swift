import AtelierProtocol

/// Where a running generation stands, for other processes that ask for its `status`.
public struct ProgressNote: Sendable, Equatable {
  public var phase: Phase
  /// One sentence for people.
  public var message: String
  /// 0…1, when it is known.
  public var fraction: Double?
  /// Strictly rising; an older note than the stored one changes nothing.
  public var sequence: Int64

  public init(phase: Phase, message: String, fraction: Double? = nil, sequence: Int64) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.sequence = sequence
  }

  /// As a column holds it.
  var storedFraction: Double? { fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }
}
