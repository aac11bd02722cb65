/// Where there may be hair at the person's edge, and where single hairs can be told from the background.
struct HairZone {
  private typealias Tuning = MatteTuning.HairZone

  /// Around the head: see ``FacesInView/mayBeHair(width:height:below:)``.
  let mayBeHair: [Bool]
  /// Where, in addition, the background next to the person is even, so that what stands out from it is hair.
  private(set) var isEven: [Bool]
  /// Where something does, near the outline.
  private(set) var standsOut: [Bool]

  /// The background is averaged at a quarter of the size.
  private static let scale = 4

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - quarter: the same at a quarter of the size.
  ///   - person: the outline.
  ///   - networks: the networks' mean, 0…1.
  ///   - valid: whether the photo has the pixel.
  init(
    image: Plane<Colour>, quarter: Plane<Colour>, person: [Bool], networks: Plane<Float>, valid: [Bool], faces: FacesInView
  ) {
    let (width, height) = (image.width, image.height)
    mayBeHair = faces.mayBeHair(width: width, height: height)
    isEven = [Bool](repeating: false, count: person.count)
    standsOut = isEven
    let near = Morphology.dilated(person, width, height, by: Tuning.reach)
    let further = Morphology.dilated(person, width, height, by: Tuning.faint.reach)
    let faint = Morphology.dilated(
      networks.values.map { $0 > Tuning.faint.confidence }, width, height, by: Tuning.faint.margin)
    let behind = quarter.masked { index in valid[index] && !near[index] && !faint[index] }
    let (means, variances) = Self.statistics(of: behind)
    let upper = faces.mayBeHair(width: width, height: height, below: Tuning.lowest)
    let lower = faces.mayBeHair(width: width, height: height, below: Tuning.faint.lowest)
    let edge = Morphology.dilated(person, width, height, by: Tuning.solid)
    for index in person.indices {
      let isUpper = upper[index] && near[index]
      guard isUpper || lower[index] && further[index] && faint[index] && !edge[index] else { continue }
      let (x, y) = (index % width / Self.scale, index / width / Self.scale)
      let place = min(y, means.height - 1) * means.width + min(x, means.width - 1)
      guard variances.values[place] < Tuning.evenness * Tuning.evenness else { continue }
      let difference = (image.values[index] - means.values[place]).replacingLast(0)
      standsOut[index] = (difference * difference).sum() > Tuning.difference * Tuning.difference
      isEven[index] = isUpper || standsOut[index]
    }
  }

  /// The mean around each position at a quarter of the size, and the variance of all channels together; infinite where
  /// there is no background.
  private static func statistics(of behind: Plane<Colour>) -> (means: Plane<Colour>, variances: Plane<Float>) {
    let sums = BoxBlur.apply(behind, radius: Tuning.neighbourhood / scale)
    let squares = BoxBlur.apply(behind.map { $0 * $0 }, radius: Tuning.neighbourhood / scale)
    let means = sums.map { $0 / max($0.w, 1e-5) }
    var variances = Plane<Float>(width: behind.width, height: behind.height, repeating: .infinity)
    for index in variances.values.indices where sums.values[index].w > Tuning.leastBackground {
      let (mean, sum) = (means.values[index], squares.values[index])
      variances.values[index] = (sum / sum.w - mean * mean).replacingLast(0).sum()
    }
    return (means, variances)
  }

  /// The looseness of the edge at each pixel: see ``EdgeCurve``.
  func looseness(width: Int, height: Int) -> Plane<Float> {
    let steps = Plane<Float>(
      width: width, height: height,
      values: zip(mayBeHair, isEven).map { $1 ? 1 : $0 ? EdgeCurve.usual : 0 })
    return BoxBlur.apply(steps, radius: Tuning.transition)
  }
}

extension Plane where Value == Colour {
  /// A picture at a quarter of the size with the chosen pixels only: the fourth number is 1 for those, and everything 0 for
  /// the others.
  /// - Parameter isChosen: asked for the first and the last of the sixteen pixels of the whole picture, both of which have
  ///   to be chosen.
  func masked(_ isChosen: (Int) -> Bool) -> Plane<Colour> {
    var result = self
    let whole = width * 4
    for y in 0..<height {
      for x in 0..<width {
        let first = y * 4 * whole + x * 4
        let isKept = isChosen(first) && isChosen(first + 3 * whole + 3)
        result.values[y * width + x] = isKept ? values[y * width + x].replacingLast(1) : .zero
      }
    }
    return result
  }
}
