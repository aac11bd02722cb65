/// The outline that a profile picture was given when it was exported: a circle, an ellipse, or a rectangle whose corners
/// may be round.
///
/// Nobody has such an outline, so what is inside is a photo and not a person who was cut out, however much of it the person
/// fills. A circle or an ellipse is also known by a part of it, because only a part of the photo may be there.
struct FrameOutline {
  private typealias Tuning = PhotoTuning.Outline

  /// The smallest rectangle around what is visible, in pixels of the picture.
  let box: PixelRectangle

  /// - Parameter opacity: how opaque each pixel is, as a grey picture.
  /// - Returns: nil if the visible part has another outline.
  init?(of opacity: PixelImage) {
    var (small, scale) = (opacity, 1)
    while min(small.width, small.height) >= 2 * Tuning.side {
      small = small.halved()
      scale *= 2
    }
    guard let shape = VisibleShape(of: small), shape.isEllipse || shape.isRectangle else { return nil }
    box = PixelRectangle(
      x: shape.left * scale, y: shape.top * scale, width: shape.width * scale, height: shape.rows.count * scale)
  }
}

extension FrameOutline {
  /// The picture as if it went on beyond the outline, within the box: mirrored there, so that clothes keep their pattern.
  /// - Parameter opacity: what the outline was found in, with the sides of the picture.
  func continued(_ image: PixelImage, opacity: PixelImage) -> PixelImage {
    let middle = Point(x: Double(box.x) + Double(box.width) / 2, y: Double(box.y) + Double(box.height) / 2)
    let reach = Tuning.mirrored * Double(min(box.width, box.height))
    let trusted = opacity.innerPixels(byRim: PhotoTuning.Transparency.rim)
    func isVisible(_ x: Int, _ y: Int) -> Bool { trusted[y * image.width + x] }
    var result = image
    for y in box.y..<min(image.height, box.y + box.height) {
      for x in box.x..<min(image.width, box.x + box.width) where !isVisible(x, y) {
        let (across, down) = (Double(x) + 0.5 - middle.x, Double(y) + 0.5 - middle.y)
        func place(_ part: Double) -> (x: Int, y: Int) { (Int(middle.x + across * part), Int(middle.y + down * part)) }
        // The outline lies where the way from the middle leaves what is visible.
        var way = 0.0...1.0
        for _ in 0..<Tuning.halvings {
          let half = (way.lowerBound + way.upperBound) / 2
          let (column, row) = place(half)
          way = isVisible(column, row) ? half...way.upperBound : way.lowerBound...half
        }
        let length = (across * across + down * down).squareRoot()
        let beyond = (1 - way.lowerBound) * length
        let folded = abs((beyond / reach).truncatingRemainder(dividingBy: 2) - 1)
        let (column, row) = place(max(0, way.lowerBound - (1 - folded) * reach / length))
        guard isVisible(column, row) else { continue }
        let (at, from) = ((y * image.width + x) * 3, (row * image.width + column) * 3)
        for band in 0..<3 { result.pixels[at + band] = image.pixels[from + band] }
      }
    }
    return result
  }
}

/// The visible part of a picture, row by row.
private struct VisibleShape {
  private typealias Tuning = PhotoTuning.Outline

  /// The sides of the picture.
  private let size: (across: Int, down: Int)
  let left: Int
  let top: Int
  let width: Int
  /// From the first visible pixel of each row to the last one, counted from `left`; empty where there is none.
  let rows: [Range<Int>]
  /// The pixels within these ranges that are not visible.
  let holes: Int

  /// Nil where hardly anything is visible.
  init?(of opacity: PixelImage) {
    size = (opacity.width, opacity.height)
    var (rows, holes): ([Range<Int>], Int) = ([], 0)
    for y in 0..<opacity.height {
      let visible = (0..<opacity.width).filter { opacity.pixels[(y * opacity.width + $0) * 3] > 127 }
      guard let first = visible.first, let last = visible.last else {
        rows.append(0..<0)
        continue
      }
      rows.append(first..<last + 1)
      holes += last + 1 - first - visible.count
    }
    guard let top = rows.firstIndex(where: { !$0.isEmpty }), let bottom = rows.lastIndex(where: { !$0.isEmpty }) else {
      return nil
    }
    let shown = rows[top...bottom]
    let left = shown.reduce(opacity.width) { $1.isEmpty ? $0 : min($0, $1.lowerBound) }
    let right = shown.reduce(0) { max($0, $1.upperBound) }
    guard min(right - left, shown.count) >= Tuning.least else { return nil }
    (self.left, self.top, self.holes, width) = (left, top, holes, right - left)
    self.rows = shown.map { $0.isEmpty ? 0..<0 : $0.lowerBound - left..<$0.upperBound - left }
  }

  /// Whether the outline is that of a circle or an ellipse, as far as it lies inside the picture.
  var isEllipse: Bool {
    let scale = Double(max(size.across, size.down)) / 2
    func point(_ x: Int, _ y: Int) -> Point {
      Point(
        x: (Double(left + x) - Double(size.across) / 2) / scale,
        y: (Double(top + y) + 0.5 - Double(size.down) / 2) / scale)
    }
    var edge: [Point] = []
    for (y, row) in rows.enumerated() where !row.isEmpty {
      if left + row.lowerBound > 0 { edge.append(point(row.lowerBound, y)) }
      if left + row.upperBound < size.across { edge.append(point(row.upperBound, y)) }
    }
    guard holes == 0, edge.count >= Tuning.least, let ellipse = EllipseFit(edge) else { return false }
    return edge.allSatisfy { ellipse.distance(of: $0) * scale < Tuning.ellipseError }
  }

  /// Whether the outline is that of a rectangle, all of whose corners may be equally round.
  var isRectangle: Bool {
    let (across, down) = (Double(width) / 2, Double(rows.count) / 2)
    let radii = (0...Tuning.radii).map { min(across, down) * Double($0) / Double(Tuning.radii) }
    let limit = Tuning.tolerance * Double(width + rows.count) * Double(width + rows.count)
    return radii.contains { difference(fromRadius: $0) <= limit }
  }

  /// The pixels by which the shape differs from a rectangle with corners of this radius.
  private func difference(fromRadius radius: Double) -> Double {
    var sum = Double(holes)
    for (y, row) in rows.enumerated() {
      let edge = min(Double(y), Double(rows.count - 1 - y)) + 0.5
      let part = edge < radius ? (radius - edge) / radius : 0
      let inset = radius * (1 - (1 - part * part).squareRoot())
      sum += abs(Double(row.lowerBound) - inset) + abs(Double(row.upperBound) - Double(width) + inset)
    }
    return sum
  }
}
