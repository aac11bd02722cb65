/// Turns a rough mask into a matte.
struct MatteBuilder {
  /// The matte's side in pixels: half of the picture's.
  static let size = 512

  /// - Parameters:
  ///   - image: the cut square at ``size``, colours 0…1.
  ///   - mask: the networks' mean, 0…1, of the same size.
  ///   - exists: whether the photo has the pixel.
  ///   - face: where the face is, in pixels of the matte.
  static func matte(
    image: Plane<Colour>, mask: Plane<Float>, exists: [Bool], face: PixelRectangle
  ) -> Matte {
    let person = person(in: mask, exists: exists, face: face)
    let coefficients = GuidedFilter.coefficients(mask: person, guide: image, radius: 7, epsilon: 2e-4)
    var opacity = Plane<Float>(width: image.width, height: image.height, repeating: 0)
    for index in opacity.values.indices {
      opacity.values[index] = settled(GuidedFilter.value(of: coefficients.values[index], at: image.values[index]))
    }
    let layers = LayerEstimator.layers(of: image, opacity: opacity, radii: [45, 4])
    return Matte(coefficients: coefficients, opacity: opacity, layers: layers)
  }

  /// What is nearly the person is the person, what is nearly not is not: no smoke in the background.
  @inline(__always)
  static func settled(_ opacity: Float) -> Float {
    let t = min(1, max(0, (opacity - 0.12) / 0.78))
    return t * t * (3 - 2 * t)
  }

  /// The mask without other people and leftovers: only what hangs together with the face.
  private static func person(in mask: Plane<Float>, exists: [Bool], face: PixelRectangle) -> Plane<Float> {
    let chosen = zip(mask.values, exists).map { $0 > 0.5 && $1 }
    let largest = ConnectedComponents.largest(chosen, width: mask.width, height: mask.height, meeting: face)
    let near = BoxBlur.apply(
      Plane(width: mask.width, height: mask.height, values: largest.map { Colour($0 ? 1 : 0, 0, 0, 0) }), radius: 6)
    return mask.combined(with: near) { mask, near in near.x > 0 ? mask : 0 }
  }
}
