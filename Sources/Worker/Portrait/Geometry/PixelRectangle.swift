/// A rectangle of whole pixels.
public struct PixelRectangle: Sendable, Equatable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Its columns and rows inside a picture with these sides; empty where it lies beside the picture.
  func clipped(width: Int, height: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    func range(_ start: Int, _ length: Int, _ limit: Int) -> Range<Int> {
      let first = max(0, min(limit, start))
      return first..<max(first, min(limit, start + length))
    }
    return (range(x, self.width, width), range(y, self.height, height))
  }
}
