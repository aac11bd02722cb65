/// Corrects pupils that a flash made red.
///
/// Only a compact crimson spot of the size of a pupil, in the middle of the eye, is corrected: lids, make-up and the corners
/// of eyes are red too, but wide, or not in the middle, or of the orange red of skin in the shade.
enum RedEye {
  private typealias Tuning = LightTuning.RedEye

  /// - Parameters:
  ///   - eye: the middle between the corners of the eye, in pixels.
  ///   - faceWidth: from cheek to cheek, in pixels.
  static func correct(_ image: inout PixelImage, eye: Point, faceWidth: Double) {
    guard let window = window(around: eye, faceWidth: faceWidth, in: image) else { return }
    var colours = Plane<Colour>(width: window.width, height: window.height, repeating: .zero)
    for y in 0..<window.height {
      for x in 0..<window.width { colours[x, y] = image.float(window.x + x, window.y + y) }
    }
    let core = PixelRectangle(
      x: Int(eye.x - Tuning.core * faceWidth) - window.x, y: Int(eye.y - Tuning.core * faceWidth) - window.y,
      width: max(1, Int(2 * Tuning.core * faceWidth)), height: max(1, Int(2 * Tuning.core * faceWidth)))
    guard let pupil = pupil(in: colours, core: core, faceWidth: faceWidth) else { return }
    let near = Morphology.dilated(pupil, window.width, window.height, by: max(1, Int(faceWidth * Tuning.rim)))
    for y in 0..<window.height {
      for x in 0..<window.width where near[y * window.width + x] {
        let colour = colours[x, y]
        let neutral = (colour.y + colour.z) / 2
        let part = max(0, min(1, (redness(of: colour) - Tuning.onset.from) / Tuning.onset.over))
        let corrected = Colour(neutral, colour.y, colour.z, 0) * Tuning.darkening
        let result = (colour + (corrected - colour) * part).roundedBytes
        let at = ((window.y + y) * image.width + window.x + x) * 3
        for band in 0..<3 { image.pixels[at + band] = UInt8(truncatingIfNeeded: result[band]) }
      }
    }
  }

  /// The red spot that can be a pupil, of the size of the window.
  private static func pupil(in colours: Plane<Colour>, core: PixelRectangle, faceWidth: Double) -> [Bool]? {
    let (width, height) = (colours.width, colours.height)
    let red = colours.values.map { $0.x >= Tuning.leastRed && redness(of: $0) >= Tuning.redness }
    guard red.contains(true) else { return nil }
    let spot = ConnectedComponents.largest(red, width: width, height: height, meeting: core)
    let chosen = spot.indices.filter { spot[$0] }
    guard Tuning.area.contains(Double(chosen.count) / (faceWidth * faceWidth)) else { return nil }
    let (columns, rows) = (chosen.map { $0 % width }, chosen.map { $0 / width })
    guard let left = columns.min(), let right = columns.max() else { return nil }
    guard let top = rows.min(), let bottom = rows.max() else { return nil }
    let (across, down) = (right - left + 1, bottom - top + 1)
    let isCompact =
      chosen.count * 100 >= across * down * Tuning.shape.fill && across <= Tuning.shape.sides * down
      && down <= Tuning.shape.sides * across
    let isInside = left > 0 && top > 0 && right < width - 1 && bottom < height - 1
    let middle = Point(x: Double(left + right) / 2, y: Double(top + bottom) / 2)
    let isCentral = Rectangle(core).contains(middle)
    let sum = chosen.reduce(Colour.zero) { $0 + colours.values[$1] }
    let isCrimson = sum.z >= Tuning.blueness * sum.y
    return isCompact && isInside && isCentral && isCrimson ? spot : nil
  }

  private static func redness(of colour: Colour) -> Float { colour.x / max(Tuning.darkest, max(colour.y, colour.z)) }

  private static func window(around eye: Point, faceWidth: Double, in image: PixelImage) -> PixelRectangle? {
    let (across, down) = (Int(faceWidth * Tuning.reach.across), Int(faceWidth * Tuning.reach.down))
    guard across >= Tuning.smallest.across, down >= Tuning.smallest.down else { return nil }
    guard across < image.width, down < image.height else { return nil }
    guard eye.x.isFinite, eye.y.isFinite, abs(eye.x) < 1e6, abs(eye.y) < 1e6 else { return nil }
    let (left, right) = (max(0, Int(eye.x) - across), min(image.width, Int(eye.x) + across))
    let (top, bottom) = (max(0, Int(eye.y) - down), min(image.height, Int(eye.y) + down))
    guard right > left, bottom > top else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension PixelImage {
  /// A pixel's colour, 0…255.
  fileprivate func float(_ x: Int, _ y: Int) -> Colour {
    let at = (y * width + x) * 3
    return Colour(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]), 0)
  }
}
