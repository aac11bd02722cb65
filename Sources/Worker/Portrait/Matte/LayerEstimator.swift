/// Separates the colours of person and background where they mix, so that hair does not keep the colour of the old
/// background.
///
/// After Forte, "Approximate Fast Foreground Colour Estimation", ICIP 2021: weighted means, wide, then narrow.
enum LayerEstimator {
  private typealias Tuning = MatteTuning.Layers

  struct Layers {
    /// The person's colours near mixed pixels; elsewhere the image's.
    var foreground: Plane<Colour>
    /// The background's colours, likewise.
    var background: Plane<Colour>
  }

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - quarter: the same at a quarter of the size.
  ///   - opacity: 0…1 of the size of the image.
  static func layers(of image: Plane<Colour>, quarter: Plane<Colour>, opacity: Plane<Float>) -> Layers {
    let (width, height) = (image.width, image.height)
    let isMixed = opacity.values.map { Tuning.mixed.contains($0) }
    let near = Morphology.dilated(isMixed, width, height, by: Tuning.margin)
    let places = near.indices.filter { near[$0] }
    let small = opacity.halved().halved()
    let around = (
      front: WideMean(of: quarter, weights: small, width, height),
      back: WideMean(of: quarter, weights: small.map { 1 - $0 }, width, height)
    )
    // Colours times opacities, with the opacity as the fourth number.
    var own = image.combined(with: opacity) { ($0 * $1).replacingLast($1) }
    for index in places where isMixed[index] {
      let (front, back) = (around.front[index], around.back[index])
      let colour = foreground(image.values[index], opacity.values[index], front, back)
      own.values[index] = (colour * opacity.values[index]).replacingLast(opacity.values[index])
    }
    let source = own
    let found = Parallel.map(places) { places in
      places.map { index -> (Colour, Colour) in
        let back = around.back[index]
        let sum = sum(of: source, around: index)
        let front = sum.w > 1e-3 ? sum / sum.w : around.front[index]
        return (foreground(image.values[index], opacity.values[index], front, back), back.clampedToUnit)
      }
    }
    var layers = Layers(foreground: image, background: image)
    for (index, colours) in zip(places, found) {
      (layers.foreground.values[index], layers.background.values[index]) = colours
    }
    return layers
  }

  /// The person's colour in a pixel, which explains it together with the background's.
  @inline(__always)
  private static func foreground(_ image: Colour, _ alpha: Float, _ front: Colour, _ back: Colour) -> Colour {
    (front + (image - front * alpha - back * (1 - alpha)) * alpha).clampedToUnit
  }

  /// The sum over the narrow window.
  private static func sum(of plane: Plane<Colour>, around index: Int) -> Colour {
    let (x, y) = (index % plane.width, index / plane.width)
    var sum = Colour.zero
    let (reach, step) = (Tuning.narrow, Tuning.step)
    for row in stride(from: max(0, y - reach), through: min(plane.height - 1, y + reach), by: step) {
      for column in stride(from: max(0, x - reach), through: min(plane.width - 1, x + reach), by: step) {
        sum += plane.values[row * plane.width + column]
      }
    }
    return sum
  }

  /// The weighted mean of the colours in a wide window around each pixel.
  private struct WideMean {
    private static let scale = 4
    private let means: Plane<Colour>
    private let columns: [Interpolation]
    private let rows: [Interpolation]

    /// - Parameters:
    ///   - quarter: the image at a quarter of the size.
    ///   - weights: of the same size; pixels that show both hardly count.
    init(of quarter: Plane<Colour>, weights: Plane<Float>, _ width: Int, _ height: Int) {
      let weighted = quarter.combined(with: weights) { colour, weight in
        let weight = max(1e-4, weight * weight * weight * weight)
        return (colour * weight).replacingLast(weight)
      }
      means = BoxBlur.apply(weighted, radius: MatteTuning.Layers.wide / Self.scale).map { $0 / $0.w }
      columns = Interpolation.lines(from: means.width, to: width)
      rows = Interpolation.lines(from: means.height, to: height)
    }

    /// - Parameter index: of the image's pixel.
    subscript(index: Int) -> Colour {
      means.interpolated(rows[index / columns.count], columns[index % columns.count]).replacingLast(0)
    }
  }
}
