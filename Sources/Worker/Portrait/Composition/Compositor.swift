/// Composes the person, with corrected light, and the background, row by row.
///
/// Colours are mixed gamma-coded, as the opacities were measured: before an equal background, the photo comes out again.
/// Without a background, the colours are the person's alone, also where the old background shines through, and go on a
/// little beyond the person's edge, so that sharpening finds no edge there.
struct Compositor: RowSource {
  private typealias Tuning = CompositionTuning.Compositor

  private let crop: PixelImage
  private let matte: Matte
  private let background: Plane<Colour>?
  private let tone: ToneCurve
  private let keepsPhoto: Bool
  private let matteColumns: [Interpolation]
  private let matteRows: [Interpolation]
  private let backgroundColumns: [Interpolation]
  private let backgroundRows: [Interpolation]
  /// The corrected light of each byte of a channel: most pixels need no more.
  private let toned: Toned
  /// Of each of the matte's pixels, what it is whatever the colour.
  private let certainties: [Certainty]
  /// A row of each of the matte's planes, and one of the background.
  private var coefficients: [Colour]
  private var looseness: [Float]
  private var certainty: [Certainty]
  private var behind: [Colour]

  private enum Certainty: UInt8 {
    case neither, person, background

    init(_ coefficients: Colour) {
      let slope = coefficients * coefficients
      let certain = Tuning.certain
      self = slope.x + slope.y + slope.z > certain.slope ? .neither
        : coefficients.w < certain.background ? .background : coefficients.w > certain.person ? .person : .neither
    }
  }

  var width: Int { crop.width }
  var height: Int { crop.height }

  /// - Parameters:
  ///   - crop: all columns of the square, or the middle ones.
  ///   - matte: of the whole square, at any size.
  ///   - background: likewise; nil leaves it out.
  ///   - keepsPhoto: whether the photo's own background stays, so that only the light is corrected.
  init(crop: PixelImage, matte: Matte, background: Plane<Colour>?, tone: ToneCurve, keepsPhoto: Bool = false) {
    func columns(of length: Int) -> [Interpolation] {
      Array(Interpolation.lines(from: length, to: crop.height).dropFirst((crop.height - crop.width) / 2).prefix(crop.width))
    }
    self.crop = crop
    self.matte = matte
    self.background = background
    self.tone = tone
    self.keepsPhoto = keepsPhoto
    matteColumns = columns(of: matte.opacity.width)
    matteRows = Interpolation.lines(from: matte.opacity.height, to: crop.height)
    backgroundColumns = background.map { columns(of: $0.width) } ?? []
    backgroundRows = background.map { Interpolation.lines(from: $0.height, to: crop.height) } ?? []
    toned = Toned(tone)
    certainties = matte.coefficients.values.map(Certainty.init)
    certainty = [Certainty](repeating: .neither, count: matte.coefficients.width)
    coefficients = [Colour](repeating: .zero, count: matte.coefficients.width)
    looseness = [Float](repeating: 0, count: matte.looseness.width)
    behind = [Colour](repeating: .zero, count: background?.width ?? 0)
  }

  mutating func write(row y: Int, into colours: inout [Colour], at start: Int) {
    matte.coefficients.interpolate(matteRows[y], into: &coefficients)
    matte.looseness.interpolate(matteRows[y], into: &looseness)
    interpolateCertainty(matteRows[y])
    background?.interpolate(backgroundRows[y], into: &behind)
    compose(row: y, into: &colours, at: start)
  }

  /// Does not change the rows, so that nothing of the picture is copied for a pixel.
  private func compose(row y: Int, into colours: inout [Colour], at start: Int) {
    let row = matteRows[y]
    crop.pixels.withUnsafeBufferPointer { pixels in
      colours.withUnsafeMutableBufferPointer { colours in
        // A well-formed picture has three bytes at each of its positions, and the caller room for a row from `start`.
        for x in 0..<width {
          let at = (y &* width &+ x) &* 3
          let bytes = SIMD3(pixels[at], pixels[at &+ 1], pixels[at &+ 2])
          colours[start &+ x] = colour(bytes, row, x)
        }
      }
    }
  }

  @inline(__always)
  private func colour(_ bytes: SIMD3<UInt8>, _ row: Interpolation, _ x: Int) -> Colour {
    let column = matteColumns[x]
    let known = certainty(column)
    if known == .background, background != nil, !keepsPhoto {
      return backgroundColumns[x].value(in: behind).replacingLast(1)
    }
    if known == .person, keepsPhoto || matte.spill?.reaches(row, column) != true { return toned.colour(bytes) }
    let image = Colour(Float(bytes.x), Float(bytes.y), Float(bytes.z), 0) / 255
    let alpha = alpha(known, column, image)
    if keepsPhoto { return toned.colour(bytes).replacingLast(1 - alpha) }
    if alpha > 1 - Tuning.margin { return tone.corrected(matte.spill?.corrected(image, row, column) ?? image) }
    if background == nil {
      let visible = alpha > Tuning.margin ? alpha : 0
      return person(image, visible, row, column).replacingLast(1 - visible)
    }
    let background = backgroundColumns[x].value(in: behind)
    guard alpha > Tuning.margin else { return background.replacingLast(1) }
    return (person(image, alpha, row, column) * alpha + background * (1 - alpha)).replacingLast(1 - alpha)
  }

  /// What a pixel between two rows of the matte is for certain if both agree.
  private mutating func interpolateCertainty(_ row: Interpolation) {
    let (upper, lower) = (row.first * certainty.count, row.second * certainty.count)
    for x in certainty.indices {
      let own = certainties[upper + x]
      certainty[x] = own == certainties[lower + x] ? own : .neither
    }
  }

  @inline(__always)
  private func certainty(_ column: Interpolation) -> Certainty {
    let known = certainty[column.first]
    return known == certainty[column.second] ? known : .neither
  }

  @inline(__always)
  private func alpha(_ known: Certainty, _ column: Interpolation, _ image: Colour) -> Float {
    if known != .neither { return known == .person ? 1 : 0 }
    return EdgeCurve.opacity(
      GuidedFilter.value(of: column.value(in: coefficients), at: image), looseness: column.value(in: looseness))
  }

  /// The person's own colour in a pixel that shows the old background as well.
  private func person(_ image: Colour, _ alpha: Float, _ row: Interpolation, _ column: Interpolation) -> Colour {
    let front = matte.layers.foreground.interpolated(row, column)
    let back = matte.layers.background.interpolated(row, column)
    let error = image - front * alpha - back * (1 - alpha)
    let own = (front + error * alpha).clampedToUnit
    return tone.corrected(matte.spill?.corrected(own, row, column) ?? own)
  }
}

/// The light that a ``ToneCurve`` gives to each byte of a channel.
private struct Toned {
  private let red: [Float]
  private let green: [Float]
  private let blue: [Float]

  init(_ tone: ToneCurve) {
    let colours = (0..<256).map { tone.corrected(Colour(Float($0), Float($0), Float($0), 0) / 255) }
    (red, green, blue) = (colours.map(\.x), colours.map(\.y), colours.map(\.z))
  }

  @inline(__always)
  func colour(_ bytes: SIMD3<UInt8>) -> Colour {
    Colour(red[Int(bytes.x)], green[Int(bytes.y)], blue[Int(bytes.z)], 0)
  }
}
