/// Cuts off margins of one colour around a photo, such as the white bars of a screenshot.
///
/// A body that such a margin cuts would otherwise end inside the picture. A wall of one colour looks the same, but what
/// stands before it grows in from line to line, whereas a margin ends in a straight line.
extension PhotoRegion {
  private enum Side: CaseIterable {
    case left, right, top, bottom
  }

  /// The region without such margins; one with transparency as it is.
  func withoutFrame() -> PhotoRegion {
    guard opacity == nil else { return self }
    let cuts = Side.allCases.map { margin(at: $0) }
    let (left, right, top, bottom) = (cuts[0], cuts[1], cuts[2], cuts[3])
    let (width, height) = (image.width - left - right, image.height - top - bottom)
    guard cuts != [0, 0, 0, 0], width >= image.width / 2, height >= image.height / 2 else { return self }
    let (across, down) = (area.width / Double(image.width), area.height / Double(image.height))
    return PhotoRegion(
      image: image.part(x: left, y: top, width: width, height: height),
      area: Rectangle(
        x: area.x + Double(left) * across, y: area.y + Double(top) * down, width: Double(width) * across,
        height: Double(height) * down))
  }

  /// The lines of the margin at a side, 0 without one.
  private func margin(at side: Side) -> Int {
    let isUpright = side == .left || side == .right
    let (lines, length) = isUpright ? (image.width, image.height) : (image.height, image.width)
    return image.pixels.withUnsafeBufferPointer { pixels in
      func offset(_ line: Int, _ place: Int) -> Int {
        let line = side == .right || side == .bottom ? lines - 1 - line : line
        return (isUpright ? place * image.width + line : line * image.width + place) * 3
      }
      let first = offset(0, length / 2)
      func differs(_ line: Int, _ place: Int) -> Bool {
        let at = offset(line, place)
        return (0..<3).contains { abs(Int(pixels[at + $0]) - Int(pixels[first + $0])) > PhotoTuning.Frame.noise }
      }
      let places = stride(from: 0, to: length, by: max(1, length / PhotoTuning.Frame.samples))
      func share(_ line: Int) -> Double {
        let counts = places.reduce(into: (differing: 0, all: 0)) { counts, place in
          counts.all += 1
          if differs(line, place) { counts.differing += 1 }
        }
        return Double(counts.differing) / Double(counts.all)
      }
      let (limit, blend) = (PhotoTuning.Frame.edge, PhotoTuning.Frame.blend)
      let most = lines / 2 - limit.lines
      var end = 0
      while end < most, !places.contains(where: { differs(end, $0) }) { end += 1 }
      guard end >= PhotoTuning.Frame.least, end < most else { return 0 }
      let edge = share(end + blend)
      let inside = share(end + limit.lines)
      return edge >= limit.share && inside <= edge * limit.growth ? end + blend : 0
    }
  }
}

extension PixelImage {
  /// A rectangle of the picture, which lies inside of it.
  fileprivate func part(x: Int, y: Int, width: Int, height: Int) -> PixelImage {
    var part: [UInt8] = []
    part.reserveCapacity(width * height * 3)
    for row in y..<y + height {
      let first = (row * self.width + x) * 3
      part += pixels[first..<first + width * 3]
    }
    return PixelImage(width: width, height: height, pixels: part)
  }
}
