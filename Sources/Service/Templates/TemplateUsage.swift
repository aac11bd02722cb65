/// The use counts of hairstyles at a certain time.
public struct TemplateUsage: Sendable, Equatable {
  /// By the hairstyle's id; hairstyles that were never used are missing.
  public var counts: [String: Int]
  /// The number of the last use that is counted.
  public var seen: Int64

  public init(counts: [String: Int] = [:], seen: Int64 = 0) {
    self.counts = counts
    self.seen = seen
  }
}
