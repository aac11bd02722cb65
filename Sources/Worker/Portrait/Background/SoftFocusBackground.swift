import Glibc

/// The photo's own background, blurred as by a lens with a wide aperture.
///
/// The person is removed first and the gap filled from its surroundings, so that no halo of them remains. The blur is a
/// disc in linear light: bright points become discs of light, as in a camera.
struct SoftFocusBackground {
  private typealias Tuning = BackgroundTuning.SoftFocus

  /// The radius of the disc as a part of the side, and the change of light in stops.
  struct Focus {
    var radius: Double
    var stops: Double
    /// Linear factors of red, green and blue.
    var warmth: Colour
    /// How much darker the corners become, 0…1.
    var vignette: Float
  }

  /// - Parameters:
  ///   - image: gamma-coded colours; the fourth number says how certainly the pixel is background, 0…1.
  ///   - variation: which of the focuses.
  static func render(_ image: Plane<Colour>, variation: Int) -> Plane<Colour> {
    let focus = Tuning.focuses[((variation % Tuning.focuses.count) + Tuning.focuses.count) % Tuning.focuses.count]
    let linear = image.map { colour -> Colour in
      (linearised(colour) * colour.w).replacingLast(colour.w)
    }
    let filled = fill(linear)
    let blurred = disc(filled, radius: focus.radius * Double(image.width))
    let gain = Float(exp2(focus.stops))
    var result = BoxBlur.apply(blurred, radius: max(1, image.width / Tuning.smoothing))
    for y in 0..<result.height {
      for x in 0..<result.width {
        let across = (Float(x) + 0.5) / Float(result.width) - 0.5
        let down = (Float(y) + 0.5) / Float(result.height) - 0.5
        let corner = min(1, (across * across + down * down) * 2)
        let colour = result[x, y] * focus.warmth * gain * (1 - focus.vignette * corner)
        result[x, y] = coded(colour)
      }
    }
    return result
  }

  /// Gives a colour to pixels without weight: the mean of the smallest surroundings that have a weight.
  static func fill(_ weighted: Plane<Colour>) -> Plane<Colour> {
    guard weighted.width > 1, weighted.height > 1 else {
      return weighted.map { $0.w > 1e-6 ? ($0 / $0.w).replacingLast(1) : Colour(repeating: Tuning.empty).replacingLast(1) }
    }
    let coarse = fill(weighted.halved()).resized(width: weighted.width, height: weighted.height)
    return weighted.combined(with: coarse) { colour, around in
      let weight = min(1, max(0, colour.w))
      let own = min(1, weight * Tuning.trust)
      return (colour * (own / max(weight, 1e-6)) + around * (1 - own)).replacingLast(1)
    }
  }

  /// The mean over a disc with a soft rim.
  private static func disc(_ plane: Plane<Colour>, radius: Double) -> Plane<Colour> {
    let reach = Int(radius.rounded(.up))
    var taps: [(x: Int, y: Int, weight: Float)] = []
    for y in -reach...reach {
      for x in -reach...reach {
        let weight = min(1, max(0, radius + 0.5 - hypot(Double(x), Double(y))))
        if weight > 0 { taps.append((x, y, Float(weight))) }
      }
    }
    let total = taps.reduce(0) { $0 + $1.weight }
    let (width, height) = (plane.width, plane.height)
    var result = plane
    for y in 0..<height {
      for x in 0..<width {
        var sum = Colour.zero
        for tap in taps {
          let column = max(0, min(width - 1, x + tap.x))
          let row = max(0, min(height - 1, y + tap.y))
          sum += plane.values[row * width + column] * tap.weight
        }
        result.values[y * width + x] = sum / total
      }
    }
    return result
  }

  /// Squares and square roots: close enough to the curve of sRGB for a blur, and much cheaper.
  private static func linearised(_ colour: Colour) -> Colour { colour * colour }
  private static func coded(_ colour: Colour) -> Colour {
    colour.clampedToUnit.squareRoot()
  }
}
