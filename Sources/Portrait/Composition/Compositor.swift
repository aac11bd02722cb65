/// Composes the person, with corrected light, and the background, row by row.
///
/// Without a background, the colours are the person's alone, also where the old background shines through, and go on a
/// little beyond the person's edge, so that sharpening finds no edge there.
struct Compositor: RowSource {
  /// Opacities nearer than this to 0 and 1 are 0 and 1.
  private static let margin: Float = 0.004

  private let crop: PixelImage
  private let matte: Matte
  private let background: Plane<Colour>?
  private let tone: ToneCurve
  private let matteColumns: [Interpolation]
  private let matteRows: [Interpolation]
  private let backgroundColumns: [Interpolation]
  private let backgroundRows: [Interpolation]
  /// A row of the matte's coefficients, and one of the background.
  private var coefficients: [Colour]
  private var looseness: [Float]
  private var behind: [Colour]

  var width: Int { crop.width }
  var height: Int { crop.height }

  /// - Parameters:
  ///   - crop: all columns of the square, or the middle ones.
  ///   - matte: of the whole square, at any size.
  ///   - background: likewise; nil leaves it out.
  init(crop: PixelImage, matte: Matte, background: Plane<Colour>?, tone: ToneCurve) {
    func columns(of length: Int) -> [Interpolation] {
      Array(Interpolation.lines(from: length, to: crop.height).dropFirst((crop.height - crop.width) / 2).prefix(crop.width))
    }
    self.crop = crop
    self.matte = matte
    self.background = background
    self.tone = tone
    matteColumns = columns(of: matte.opacity.width)
    matteRows = Interpolation.lines(from: matte.opacity.height, to: crop.height)
    backgroundColumns = background.map { columns(of: $0.width) } ?? []
    backgroundRows = background.map { Interpolation.lines(from: $0.height, to: crop.height) } ?? []
    coefficients = [Colour](repeating: .zero, count: matte.coefficients.width)
    looseness = [Float](repeating: 0, count: matte.looseness.width)
    behind = [Colour](repeating: .zero, count: background?.width ?? 0)
  }

  mutating func write(row y: Int, into colours: inout [Colour], at start: Int) {
    matte.coefficients.interpolate(matteRows[y], into: &coefficients)
    matte.looseness.interpolate(matteRows[y], into: &looseness)
    background?.interpolate(backgroundRows[y], into: &behind)
    for x in 0..<width {
      let at = (y * width + x) * 3
      let image = Colour(Float(crop.pixels[at]), Float(crop.pixels[at + 1]), Float(crop.pixels[at + 2]), 0) / 255
      let column = matteColumns[x]
      let alpha = EdgeCurve.opacity(
        GuidedFilter.value(of: column.value(in: coefficients), at: image), looseness: column.value(in: looseness))
      if alpha > 1 - Self.margin {
        colours[start + x] = toned(matte.spill?.corrected(image, matteRows[y], column) ?? image)
      } else if background == nil {
        let visible = alpha > Self.margin ? alpha : 0
        colours[start + x] = person(image, visible, matteRows[y], column).replacingLast(1 - visible)
      } else {
        let background = backgroundColumns[x].value(in: behind)
        colours[start + x] =
          alpha > Self.margin
          ? (person(image, alpha, matteRows[y], column) * alpha + background * (1 - alpha)).replacingLast(1 - alpha)
          : background.replacingLast(1)
      }
    }
  }

  /// The person's own colour in a pixel that shows the old background as well.
  private func person(_ image: Colour, _ alpha: Float, _ row: Interpolation, _ column: Interpolation) -> Colour {
    let front = matte.layers.foreground.interpolated(row, column)
    let back = matte.layers.background.interpolated(row, column)
    let error = image - front * alpha - back * (1 - alpha)
    let own = (front + error * alpha).clampedToUnit
    return toned(matte.spill?.corrected(own, row, column) ?? own)
  }

  @inline(__always)
  private func toned(_ colour: Colour) -> Colour {
    Colour(
      ToneCurve.value(in: tone.red, at: colour.x), ToneCurve.value(in: tone.green, at: colour.y),
      ToneCurve.value(in: tone.blue, at: colour.z), 0)
  }
}
