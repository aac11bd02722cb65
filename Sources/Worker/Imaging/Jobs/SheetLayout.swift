import AtelierProtocol

/// Where the copies of a photo are on a sheet of paper. Lengths are in millimetres, counted from the lower left corner.
public struct SheetLayout: Codable, Sendable, Equatable {
  /// The paper, turned as the copies fit best.
  public var paper: PrintSize
  public var photo: PrintSize
  public var columns: Int
  public var rows: Int
  public var copies: Int
  /// Between two copies, and at least between them and the edge of the paper, which printers leave white.
  public var gap: Double

  /// The usual gap between two copies: each then has lines of its own on all sides.
  private static let usualGap = 2.0
  /// What a size may be larger because people round it: 4 inches are 101.6 mm.
  private static let tolerance = 0.05

  public enum Problem: Error, Equatable {
    /// Not even one copy fits.
    case paperTooSmall
    case tooManyCopies(most: Int)
  }

  /// - Parameter copies: nil for as many as fit with gaps, unless at least twice as many fit without.
  public init(_ photo: PrintSize, on paper: PrintSize, copies: Int?) throws(Problem) {
    let ways = [paper, paper.turned].flatMap { paper in
      [Self.usualGap, 0].map { Self(photo, on: paper, gap: $0) }
    }
    // With gaps if that is enough, as the paper was named if both are.
    guard let roomiest = ways.max(by: { $0.copies < $1.copies }), roomiest.copies > 0 else { throw .paperTooSmall }
    let apart = max(ways[0].copies, ways[2].copies)
    let wanted = copies ?? min(SheetCopies.range.upperBound, roomiest.copies >= apart * 2 ? roomiest.copies : apart)
    guard wanted <= roomiest.copies else { throw .tooManyCopies(most: roomiest.copies) }
    let gaps = [ways[0], ways[2], ways[1], ways[3]]
    self = gaps.first { $0.copies >= wanted } ?? roomiest
    self.copies = wanted
    columns = min(columns, wanted)
    rows = (wanted + columns - 1) / columns
  }

  private init(_ photo: PrintSize, on paper: PrintSize, gap: Double) {
    func count(_ length: Double, _ room: Double) -> Int { Int((room - gap + Self.tolerance) / (length + gap)) }
    self.photo = photo
    self.paper = paper
    self.gap = gap
    columns = count(photo.width, paper.width)
    rows = count(photo.height, paper.height)
    copies = columns * rows
  }

  /// The left edges of the columns.
  public var lefts: [Double] { Self.starts(columns, photo.width, gap, in: paper.width) }
  /// The lower edges of the rows, from the top.
  public var bottoms: [Double] { Self.starts(rows, photo.height, gap, in: paper.height).reversed() }

  /// The lower left corner of each copy, row by row from the top.
  public var corners: [(x: Double, y: Double)] {
    (0..<copies).map { (lefts[$0 % columns], bottoms[$0 / columns]) }
  }

  /// In the middle of the paper.
  private static func starts(_ count: Int, _ length: Double, _ gap: Double, in room: Double) -> [Double] {
    let first = (room - Double(count) * length - Double(count - 1) * gap) / 2
    return (0..<count).map { first + Double($0) * (length + gap) }
  }
}
