import AtelierProtocol

/// What a photo for a passport has to be: its size in print and in pixels, and where head and eyes are.
public struct PassportPhoto: Codable, Sendable, Equatable {
  /// A part of the photo's height, from where to where.
  public struct Range: Codable, Sendable, Equatable {
    public var least: Double
    public var most: Double

    public init(_ range: ClosedRange<Double>) { (least, most) = (range.lowerBound, range.upperBound) }

    /// Nil for what is no range.
    public var closed: ClosedRange<Double>? { least <= most ? least...most : nil }
  }

  /// Nil where only pixels are prescribed.
  public var printed: PrintSize?
  /// From chin to crown.
  public var head: Range
  /// Above the lower edge; nil where nothing is said of them.
  public var eyes: Range?

  public init(printed: PrintSize?, head: ClosedRange<Double>, eyes: ClosedRange<Double>? = nil) {
    self.printed = printed
    self.head = Range(head)
    self.eyes = eyes.map(Range.init)
  }
}
