/// Corrects pupils that a flash made red.
///
/// Only a compact crimson spot of the size of a pupil, in the middle of the eye, is corrected: lids, make-up and the corners
/// of eyes are red too, but wide, or not in the middle, or of the orange red of skin in the shade.
enum RedEye {
  /// How many times brighter red must be than green and blue. Skin has at most 1.7, red pupils have two and more.
  private static let redness: Float = 1.9
  /// The least red of a pupil in light, of 255; darker ones do not look red.
  private static let leastRed: Float = 55
  /// The least blue of a pupil, as a part of its green. The blood behind a pupil had 0.88 to 1.4, the corners of eyes
  /// and brown irises that were as red as that had 0.2 to 0.76, with one exception in 1,000 portraits.
  private static let blueness: Float = 0.82
  /// The area of a pupil or an iris in areas of a square on the face's width: a pupil of 4.5 mm, as it is wide
  /// in the dark, up to an iris of 12 mm, on a face of 140 mm.
  private static let area = 0.0008...0.0062
  /// The window that is examined, in widths of the face to either side of the eye's centre.
  private static let reach = (across: 0.11, down: 0.075)
  /// Where in the window the spot must be, in widths of the face from the eye's centre.
  private static let core = 0.05
  /// What remains of the brightness: a pupil is dark.
  private static let darkening: Float = 0.75

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
      x: Int(eye.x - Self.core * faceWidth) - window.x, y: Int(eye.y - Self.core * faceWidth) - window.y,
      width: max(1, Int(2 * Self.core * faceWidth)), height: max(1, Int(2 * Self.core * faceWidth)))
    guard let pupil = pupil(in: colours, core: core, faceWidth: faceWidth) else { return }
    // The rim of the spot is red as well, only less so.
    let near = Morphology.dilated(pupil, window.width, window.height, by: max(1, Int(faceWidth * 0.008)))
    for y in 0..<window.height {
      for x in 0..<window.width where near[y * window.width + x] {
        let colour = colours[x, y]
        let neutral = (colour.y + colour.z) / 2
        let part = max(0, min(1, (Self.redness(of: colour) - 1.2) / 0.5))
        let corrected = Colour(neutral, colour.y, colour.z, 0) * darkening
        let result = (colour + (corrected - colour) * part).roundedBytes
        let at = ((window.y + y) * image.width + window.x + x) * 3
        for band in 0..<3 { image.pixels[at + band] = UInt8(truncatingIfNeeded: result[band]) }
      }
    }
  }

  /// The red spot that can be a pupil, of the size of the window.
  private static func pupil(in colours: Plane<Colour>, core: PixelRectangle, faceWidth: Double) -> [Bool]? {
    let (width, height) = (colours.width, colours.height)
    let red = colours.values.map { $0.x >= leastRed && redness(of: $0) >= redness }
    guard red.contains(true) else { return nil }
    let spot = ConnectedComponents.largest(red, width: width, height: height, meeting: core)
    let chosen = spot.indices.filter { spot[$0] }
    guard area.contains(Double(chosen.count) / (faceWidth * faceWidth)) else { return nil }
    let (columns, rows) = (chosen.map { $0 % width }, chosen.map { $0 / width })
    guard let left = columns.min(), let right = columns.max() else { return nil }
    guard let top = rows.min(), let bottom = rows.max() else { return nil }
    let (across, down) = (right - left + 1, bottom - top + 1)
    // A disc fills 0.79 of its box; a catchlight takes a little of it, lids cut some more.
    let isCompact = chosen.count * 100 >= across * down * 50 && across <= 2 * down && down <= 2 * across
    let isInside = left > 0 && top > 0 && right < width - 1 && bottom < height - 1
    let middle = Point(x: Double(left + right) / 2, y: Double(top + bottom) / 2)
    let isCentral = Rectangle(core).contains(middle)
    let sum = chosen.reduce(Colour.zero) { $0 + colours.values[$1] }
    let isCrimson = sum.z >= blueness * sum.y
    return isCompact && isInside && isCentral && isCrimson ? spot : nil
  }

  private static func redness(of colour: Colour) -> Float { colour.x / max(12, max(colour.y, colour.z)) }

  private static func window(around eye: Point, faceWidth: Double, in image: PixelImage) -> PixelRectangle? {
    let (across, down) = (Int(faceWidth * reach.across), Int(faceWidth * reach.down))
    guard across >= 6, down >= 4, across < image.width, down < image.height else { return nil }
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
