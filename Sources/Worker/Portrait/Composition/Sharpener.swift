/// A picture that is made row by row.
protocol RowSource: Sendable {
  var width: Int { get }
  var height: Int { get }
  /// Writes row `y` into `colours` from position `start`: 0…1 gamma-coded; the fourth number is the part of the
  /// background, 0…1, which gets grain.
  mutating func write(row y: Int, into colours: inout [Colour], at start: Int)
}

/// A picture with the part of the person in each of its pixels.
struct FinishedPicture {
  var image: PixelImage
  /// 0…255, `width * height` bytes.
  var opacity: [UInt8]
}

/// The last step: unsharp masking of the brightness only, so that edges get no coloured rims; then grain, then bytes.
struct Sharpener {
  private typealias Tuning = CompositionTuning.Sharpener

  /// The rows that the blur of one row reads.
  private static let window = 5
  /// The rows of the lower part, which the person fills, take longer.
  private static let strips = 8

  /// How much of the fine detail is added once more.
  var amount = Tuning.amount
  /// The most a pixel may change, of 255; keeps hard edges from ringing.
  var limit = Tuning.limit
  /// The amplitude of the background's grain, of 255. It is added after sharpening, which would amplify it.
  var grain = Tuning.grain

  /// What is behind the person.
  enum Behind {
    /// A backdrop or a scene, which is sharpened and gets grain.
    case scene
    /// The photo's own background, which is sharpened; it has its own grain.
    case photo
    /// One colour, which stays exactly as it is.
    case flat
    /// Nothing: what is fully transparent is white, which is what is seen where transparency is ignored.
    case nothing
  }

  var behind = Behind.scene

  /// Sharpens a face of `faceWidth` pixels in the photo: less for fewer pixels, and not at all below
  /// ``CompositionTuning/Sharpener/narrowestFace``.
  static func forFace(ofWidth faceWidth: Double, before behind: Behind = .scene) -> Sharpener {
    let standard = Sharpener()
    let part = faceWidth < Tuning.narrowestFace ? 0 : min(1, faceWidth / CropTuning.Planner.comfortableFaceWidth)
    return Sharpener(amount: standard.amount * Float(part), behind: behind)
  }

  /// The finished picture, made in strips, two at the same time. Only the rows that the blur needs are held.
  func finished(_ picture: some RowSource) -> FinishedPicture {
    let (width, height) = (picture.width, picture.height)
    var opacity = [UInt8](repeating: 0, count: width * height)
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
      opacity.withUnsafeMutableBufferPointer { opacity in
        // Each strip writes rows of its own.
        nonisolated(unsafe) let target = target
        nonisolated(unsafe) let opacity = opacity
        Parallel.forEachPart(of: height, parts: Self.strips) { rows in finish(rows, of: picture, into: target, opacity) }
      }
      count = width * height * 3
    }
    return FinishedPicture(image: PixelImage(width: width, height: height, pixels: pixels), opacity: opacity)
  }

  private func finish(
    _ rows: Range<Int>, of picture: some RowSource, into target: UnsafeMutableBufferPointer<UInt8>,
    _ opacity: UnsafeMutableBufferPointer<UInt8>
  ) {
    var picture = picture
    let (width, height) = (picture.width, picture.height)
    // Row y is at y modulo the window.
    var colours = [Colour](repeating: .zero, count: Self.window * width)
    var luma = [Float](repeating: 0, count: Self.window * width)
    var blurred = [Float](repeating: 0, count: width)
    var row = [Float](repeating: 0, count: width + 4)
    var next = max(0, rows.lowerBound - 2)
    for y in rows {
      while next <= min(y + 2, height - 1) {
        let start = next % Self.window * width
        picture.write(row: next, into: &colours, at: start)
        for x in start..<start + width { luma[x] = colours[x].luma * 255 }
        next += 1
      }
      Self.blur(luma, row: y, width, height, &row, into: &blurred)
      let start = y % Self.window * width
      for x in 0..<width {
        var change = max(-limit, min(limit, (luma[start + x] - blurred[x]) * amount))
        var colour = colours[start + x]
        let visible = Self.opacity(behind: colour.w)
        opacity[y * width + x] = visible
        switch behind {
        case .scene: if colour.w > 0 { change += Noise.triangle(x, y) * grain * colour.w }
        case .photo: break
        case .flat: change *= 1 - colour.w
        case .nothing: if visible == 0 { (colour, change) = (Colour(repeating: 1), 0) }
        }
        target.store((colour * 255 + change).roundedBytes, pixel: y * width + x)
      }
    }
  }

  /// The part of the person as a byte. Most pixels show either the person or the background alone.
  @inline(__always)
  private static func opacity(behind part: Float) -> UInt8 {
    part == 0 ? 255 : part == 1 ? 0 : UInt8((255 * max(0, min(1, 1 - part))).rounded())
  }

  /// A row of the picture blurred by the binomial filter 1 4 6 4 1 in both directions; edges are repeated.
  private static func blur(
    _ luma: [Float], row y: Int, _ width: Int, _ height: Int, _ row: inout [Float], into blurred: inout [Float]
  ) {
    func line(_ offset: Int) -> Int { max(0, min(height - 1, y + offset)) % window * width }
    let (a, b, c, d, e) = (line(-2), line(-1), line(0), line(1), line(2))
    // Each line begins with `width` numbers inside the picture, and `row` has two more on either side.
    luma.withUnsafeBufferPointer { luma in
      row.withUnsafeMutableBufferPointer { row in
        for x in 0..<width {
          let near = luma[b &+ x] + luma[d &+ x]
          row[x &+ 2] = (luma[a &+ x] + luma[e &+ x] + 4 * near + 6 * luma[c &+ x]) / 16
        }
        (row[0], row[1], row[width + 2], row[width + 3]) = (row[2], row[2], row[width + 1], row[width + 1])
        blurred.withUnsafeMutableBufferPointer { blurred in
          for x in 0..<width {
            let near = row[x &+ 1] + row[x &+ 3]
            blurred[x] = (row[x] + row[x &+ 4] + 4 * near + 6 * row[x &+ 2]) / 16
          }
        }
      }
    }
  }
}
