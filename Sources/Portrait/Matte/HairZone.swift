/// Where there may be hair at the person's edge, and where single hairs can be told from the background.
struct HairZone {
  /// Around the head: see ``FacesInView/mayBeHair(width:height:below:)``.
  let mayBeHair: [Bool]
  /// Where, in addition, the background next to the person is even, so that what stands out from it is hair.
  let isEven: [Bool]

  /// What is within this many pixels of the outline; single hairs reach no further.
  let near: [Bool]

  private static let reachOfHairs = 18
  /// The background is judged within about this many pixels.
  private static let neighbourhood = 28
  /// The standard deviation of all channels together up to which a background is even, of 1.
  private static let evenness: Float = 0.045
  /// The computation is done at a quarter of the size.
  private static let scale = 4

  init(image: Plane<Colour>, person: [Bool], valid: [Bool], faces: FacesInView) {
    let (width, height) = (image.width, image.height)
    mayBeHair = faces.mayBeHair(width: width, height: height)
    near = Morphology.dilated(person, width, height, by: Self.reachOfHairs)
    var behind = image
    for index in behind.values.indices {
      behind.values[index] = valid[index] && !near[index] ? image.values[index].replacingLast(1) : .zero
    }
    let small = behind.halved().halved()
    let mean = BoxBlur.apply(small, radius: Self.neighbourhood / Self.scale)
    let square = BoxBlur.apply(
      small.map { $0.w > 0 ? ($0 * $0 / $0.w).replacingLast($0.w) : .zero }, radius: Self.neighbourhood / Self.scale)
    let even = mean.combined(with: square) { mean, square -> Bool in
      guard mean.w > 0.02 else { return false }
      let own = mean / mean.w
      let variance = (square / mean.w - own * own).replacingLast(0)
      return variance.sum() < Self.evenness * Self.evenness
    }
    var isEven = mayBeHair
    for index in isEven.indices where isEven[index] {
      let (x, y) = (min(small.width - 1, index % width / Self.scale), min(small.height - 1, index / width / Self.scale))
      isEven[index] = even.values[y * small.width + x]
    }
    self.isEven = isEven
  }

  /// The looseness of the edge at each pixel: see ``EdgeCurve``.
  func looseness(width: Int, height: Int) -> Plane<Float> {
    let steps = Plane<Float>(
      width: width, height: height,
      values: zip(mayBeHair, isEven).map { $1 ? 1 : $0 ? EdgeCurve.usual : 0 })
    return BoxBlur.apply(steps, radius: 6)
  }
}
