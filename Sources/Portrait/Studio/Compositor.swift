/// Puts the person before the background, in their corrected light.
struct Compositor {
  let crop: PixelImage
  let matte: Matte
  let background: Plane<Colour>
  let tone: ToneCurve
  /// Backgrounds from a brush or a lens have grain; −1…1 times this, of 255.
  let grain: Float

  func composed() -> PixelImage {
    let (width, height) = (crop.width, crop.height)
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    let matteColumns = Interpolation.lines(from: matte.opacity.width, to: width)
    let matteRows = Interpolation.lines(from: matte.opacity.height, to: height)
    let backgroundColumns = Interpolation.lines(from: background.width, to: width)
    let backgroundRows = Interpolation.lines(from: background.height, to: height)
    var coefficients = [Colour](repeating: .zero, count: width)
    var front = coefficients
    var back = coefficients
    var behind = coefficients
    for y in 0..<height {
      matte.coefficients.interpolatedRow(matteRows[y], matteColumns, into: &coefficients)
      matte.layers.foreground.interpolatedRow(matteRows[y], matteColumns, into: &front)
      matte.layers.background.interpolatedRow(matteRows[y], matteColumns, into: &back)
      background.interpolatedRow(backgroundRows[y], backgroundColumns, into: &behind)
      for x in 0..<width {
        let at = (y * width + x) * 3
        let image = Colour(Float(crop.pixels[at]), Float(crop.pixels[at + 1]), Float(crop.pixels[at + 2]), 0) / 255
        let alpha = MatteBuilder.settled(GuidedFilter.value(of: coefficients[x], at: image))
        var colour = behind[x] + Noise.triangle(x, y) * grain / 255
        if alpha > 0.996 {
          colour = toned(image)
        } else if alpha > 0.004 {
          let error = image - front[x] * alpha - back[x] * (1 - alpha)
          let person = toned((front[x] + error * alpha).clamped(lowerBound: .zero, upperBound: .one))
          colour = person * alpha + colour * (1 - alpha)
        }
        let bytes = (colour * 255 + 0.5).clamped(lowerBound: .zero, upperBound: Colour(repeating: 255))
        pixels[at] = UInt8(bytes.x)
        pixels[at + 1] = UInt8(bytes.y)
        pixels[at + 2] = UInt8(bytes.z)
      }
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  @inline(__always)
  private func toned(_ colour: Colour) -> Colour {
    func look(_ table: [Float], _ value: Float) -> Float {
      let place = value * 255
      let low = min(254, Int(place))
      return table[low] + (table[low + 1] - table[low]) * (place - Float(low))
    }
    return Colour(look(tone.red, colour.x), look(tone.green, colour.y), look(tone.blue, colour.z), 0)
  }
}
