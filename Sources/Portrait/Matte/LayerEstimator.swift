/// The colours of person and background where they mix, so that hair does not carry the old background along.
///
/// Source: Forte, "Approximate Fast Foreground Colour Estimation", ICIP 2021: weighted blurs, wide, then narrow.
enum LayerEstimator {
  struct Layers {
    var foreground: Plane<Colour>
    var background: Plane<Colour>
  }

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - opacity: 0…1 of the same size.
  static func layers(of image: Plane<Colour>, opacity: Plane<Float>, radii: [Int]) -> Layers {
    var layers = Layers(foreground: image, background: image)
    for radius in radii {
      let front = BoxBlur.apply(
        layers.foreground.combined(with: opacity) { ($0 * $1).replacingLast($1) }, radius: radius)
      let back = BoxBlur.apply(
        layers.background.combined(with: opacity) { ($0 * (1 - $1)).replacingLast(1 - $1) }, radius: radius)
      for index in image.values.indices {
        let alpha = opacity.values[index]
        let foreground = front.values[index] / max(front.values[index].w, 1e-5)
        let background = back.values[index] / max(back.values[index].w, 1e-5)
        let error = image.values[index] - foreground * alpha - background * (1 - alpha)
        layers.foreground.values[index] = (foreground + error * alpha).clamped(lowerBound: .zero, upperBound: .one)
        layers.background.values[index] = background.clamped(lowerBound: .zero, upperBound: .one)
      }
    }
    return layers
  }
}
