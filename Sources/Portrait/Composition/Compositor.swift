/// Composes the person, with corrected light, and the background.
struct Compositor {
  let crop: PixelImage
  let matte: Matte
  let background: Plane<Colour>
  let tone: ToneCurve

  /// Opacities nearer than this to 0 and 1 are 0 and 1.
  private static let margin: Float = 0.004

  /// The picture, 0…1 gamma-coded; the fourth number is the part of the background, 0…1.
  func composed() -> Plane<Colour> {
    let (width, height) = (crop.width, crop.height)
    let matteColumns = Interpolation.lines(from: matte.opacity.width, to: width)
    let matteRows = Interpolation.lines(from: matte.opacity.height, to: height)
    let backgroundColumns = Interpolation.lines(from: background.width, to: width)
    let backgroundRows = Interpolation.lines(from: background.height, to: height)
    var coefficients = [Colour](repeating: .zero, count: matte.coefficients.width)
    var behind = [Colour](repeating: .zero, count: background.width)
    var result = Plane<Colour>(width: width, height: height, repeating: .zero)
    for y in 0..<height {
      matte.coefficients.interpolate(matteRows[y], into: &coefficients)
      background.interpolate(backgroundRows[y], into: &behind)
      for x in 0..<width {
        let at = (y * width + x) * 3
        let image = Colour(Float(crop.pixels[at]), Float(crop.pixels[at + 1]), Float(crop.pixels[at + 2]), 0) / 255
        let column = matteColumns[x]
        let alpha = MatteBuilder.smoothstep(GuidedFilter.value(of: column.value(in: coefficients), at: image))
        if alpha > 1 - Self.margin {
          result.values[y * width + x] = toned(image)
        } else {
          let background = backgroundColumns[x].value(in: behind)
          result.values[y * width + x] =
            alpha > Self.margin
            ? mixed(image, background, alpha, matteRows[y], column) : background.replacingLast(1)
        }
      }
    }
    return result
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
