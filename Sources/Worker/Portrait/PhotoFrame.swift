/// Cuts off margins of one colour around a photo, such as the white bars of a screenshot.
///
/// A body that such a margin cuts would otherwise end inside the picture. A wall of one colour looks the same, but what
/// stands before it grows in from line to line, whereas a margin ends in a straight line.
extension PhotoRegion {
  private enum Side: CaseIterable {
    case left, right, top, bottom
  }

  /// The region without such margins. One with the outline of a profile picture ends at the rectangle around that, as
  /// if the photo went on in the corners; one with another transparency stays as it is.
  ///
  /// The visible colours must have been continued: ``withContinuedColours()``.
  func withoutFrame() -> PhotoRegion {
    if let opacity {
      guard let outline = FrameOutline(of: opacity) else { return self }
      let continued = PhotoRegion(image: outline.continued(image, opacity: opacity), area: area)
      return continued.part(outline.box)
    }
    let cuts = Side.allCases.map { margin(at: $0) }
    let (left, right, top, bottom) = (cuts[0], cuts[1], cuts[2], cuts[3])
    let (width, height) = (image.width - left - right, image.height - top - bottom)
    guard cuts != [0, 0, 0, 0], width >= image.width / 2, height >= image.height / 2 else { return self }
    return part(PixelRectangle(x: left, y: top, width: width, height: height))
  }

  /// A part of the image, which lies inside of it, without opacity.
  private func part(_ part: PixelRectangle) -> PhotoRegion {
    let (across, down) = (area.width / Double(image.width), area.height / Double(image.height))
    return PhotoRegion(
      image: image.part(part),
      area: Rectangle(
        x: area.x + Double(part.x) * across, y: area.y + Double(part.y) * down, width: Double(part.width) * across,
        height: Double(part.height) * down))
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
  fileprivate func part(_ rectangle: PixelRectangle) -> PixelImage {
    var part: [UInt8] = []
    part.reserveCapacity(rectangle.width * rectangle.height * 3)
    for row in rectangle.y..<rectangle.y + rectangle.height {
      let first = (row * width + rectangle.x) * 3
      part += pixels[first..<first + rectangle.width * 3]
    }
    return PixelImage(width: rectangle.width, height: rectangle.height, pixels: part)
  }
}
