/// How much history an operator wants kept; nil means without bound (REQUIREMENTS 7.3).
public struct HistoryCaps: Sendable, Equatable {
  /// Generations that were accepted longer ago are forgotten, in milliseconds.
  public var maximumAgeMs: Int64?
  /// The bytes all stored files may have together; beyond them the oldest generations are forgotten first.
  public var maximumBytes: Int?

  public init(maximumAgeMs: Int64? = nil, maximumBytes: Int? = nil) {
    self.maximumAgeMs = maximumAgeMs
    self.maximumBytes = maximumBytes
  }

  /// True when nothing is ever forgotten.
  public var isUnbounded: Bool { maximumAgeMs == nil && maximumBytes == nil }
}
