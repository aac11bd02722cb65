/// Composes the person, with corrected light, and the background, row by row.
struct Compositor: RowSource {
  /// Opacities nearer than this to 0 and 1 are 0 and 1.
  private static let margin: Float = 0.004

  private let crop: PixelImage
  private let matte: Matte
  private let background: Plane<Colour>
  private let tone: ToneCurve
  private let matteColumns: [Interpolation]
  private let matteRows: [Interpolation]
  private let backgroundColumns: [Interpolation]
  private let backgroundRows: [Interpolation]
  /// A row of the matte's coefficients, and one of the background.
  private var coefficients: [Colour]
  private var behind: [Colour]

  var width: Int { crop.width }
  var height: Int { crop.height }

  init(crop: PixelImage, matte: Matte, background: Plane<Colour>, tone: ToneCurve) {
    self.crop = crop
    self.matte = matte
    self.background = background
    self.tone = tone
    matteColumns = Interpolation.lines(from: matte.opacity.width, to: crop.width)
    matteRows = Interpolation.lines(from: matte.opacity.height, to: crop.height)
    backgroundColumns = Interpolation.lines(from: background.width, to: crop.width)
    backgroundRows = Interpolation.lines(from: background.height, to: crop.height)
    coefficients = [Colour](repeating: .zero, count: matte.coefficients.width)
    behind = [Colour](repeating: .zero, count: background.width)
  }

  mutating func write(row y: Int, into colours: inout [Colour], at start: Int) {
    matte.coefficients.interpolate(matteRows[y], into: &coefficients)
    background.interpolate(backgroundRows[y], into: &behind)
    for x in 0..<width {
      let at = (y * width + x) * 3
      let image = Colour(Float(crop.pixels[at]), Float(crop.pixels[at + 1]), Float(crop.pixels[at + 2]), 0) / 255
      let column = matteColumns[x]
      let alpha = MatteBuilder.smoothstep(GuidedFilter.value(of: column.value(in: coefficients), at: image))
      if alpha > 1 - Self.margin {
        colours[start + x] = toned(image)
      } else {
        let background = backgroundColumns[x].value(in: behind)
        colours[start + x] =
          alpha > Self.margin ? mixed(image, background, alpha, matteRows[y], column) : background.replacingLast(1)
      }
    }
  }

  /// A pixel that shows both.
  private func mixed(
    _ image: Colour, _ behind: Colour, _ alpha: Float, _ row: Interpolation, _ column: Interpolation
  ) -> Colour {
    let front = matte.layers.foreground.interpolated(row, column)
    let back = matte.layers.background.interpolated(row, column)
    let error = image - front * alpha - back * (1 - alpha)
    let person = toned((front + error * alpha).clampedToUnit)
    return (person * alpha + behind * (1 - alpha)).replacingLast(1 - alpha)
  }

  @inline(__always)
  private func toned(_ colour: Colour) -> Colour {
    Colour(
      ToneCurve.value(in: tone.red, at: colour.x), ToneCurve.value(in: tone.green, at: colour.y),
      ToneCurve.value(in: tone.blue, at: colour.z), 0)
  }
}
