import Glibc
import Localization

/// Whether a studio backdrop would show flaws of the matte that the photo's own background hides, and why.
///
/// Bits of the old background, a torn shoulder and a halo are seen at once before a backdrop, and hardly before the
/// background that they come from. What tells them beforehand is measured on the networks' views, on the matte and on the
/// background beside the person; a logistic regression over pictures that were judged by eye weighs it.
struct BackgroundDoubt {
  private typealias Tuning = BackgroundTuning.Doubt

  /// What can speak against a backdrop.
  enum Reason: CaseIterable {
    /// The mean of the views is uncertain in areas that are thicker than an edge.
    case uncertain
    /// A view was certain to see the person where the matte has none.
    case lost
    /// The brightness beside the person varies.
    case uneven
    /// The outline is half transparent over a wide band, as of loose hair.
    case loose

    var sentence: Sentence {
      switch self {
      case .uncertain, .lost: "It is not certain everywhere what belongs to the person."
      case .uneven: "The background beside the person is uneven."
      case .loose: "The edge of the hair is hard to cut out."
      }
    }
  }

  /// How much each reason counts, in logarithms of the odds against the backdrop, above what is usual.
  let parts: [Reason: Double]

  /// - Returns: nil where no background could be kept: of a cut-out, and where the person fills the picture.
  init?(of cutting: HeadshotMaker.Cutting) {
    guard let sight = cutting.sight else { return nil }
    let (opacity, valid) = (cutting.matte.opacity, cutting.valid)
    guard let uneven = Self.unevenness(of: cutting.small, beside: opacity, valid) else { return nil }
    let face = max(1, cutting.faces.wanted.area)
    self.init(measures: [
      .uncertain: Self.uncertainArea(of: sight.mean, valid) / face,
      .lost: Self.lostArea(of: sight.views, in: opacity, valid) / face,
      .uneven: uneven,
      .loose: Self.looseness(of: opacity, valid),
    ])
  }

  /// - Parameter measures: areas in areas of the face's box, brightness 0…1, and the width of the edge in pixels.
  init(measures: [Reason: Double]) {
    parts = Dictionary(
      uniqueKeysWithValues: measures.map { reason, measure in
        let weight = Tuning.weight(of: reason)
        let value = weight.isArea ? log(max(0, measure) + Tuning.leastArea) : measure
        return (reason, weight.each * (value - weight.usual))
      })
  }

  /// The logarithm of the odds that the backdrop would show a flaw.
  var logOdds: Double { Reason.allCases.reduce(Tuning.usual) { $0 + (parts[$1] ?? 0) } }

  var isTooLarge: Bool { logOdds > Tuning.limit }

  /// Whether the old background probably shows at the hair where nothing hides it.
  var isLooseHair: Bool { logOdds > Tuning.hair.odds && (parts[.loose] ?? 0) > Tuning.hair.loose }

  /// What counts most.
  var reason: Reason {
    Reason.allCases.max { (parts[$0] ?? 0) < (parts[$1] ?? 0) } ?? .uncertain
  }

  var warning: PortraitWarning {
    PortraitWarning(
      kind: .backgroundKept,
      message: reason.sentence.followed(
        by: "So the photo's own background was kept, out of focus. "
          + "A photo taken in front of a plain wall gets a studio background."))
  }

  /// The pixels in the middle of thick uncertain areas.
  private static func uncertainArea(of mean: Plane<Float>, _ valid: [Bool]) -> Double {
    let isUncertain = mean.values.indices.map {
      valid[$0] && MatteTuning.Disagreement.uncertain.contains(mean.values[$0])
    }
    return Double(Morphology.eroded(isUncertain, mean.width, mean.height, by: Tuning.core).count { $0 })
  }

  /// The pixels of areas that one of the views is certain of, and that the matte leaves out.
  private static func lostArea(of views: [Plane<Float>], in opacity: Plane<Float>, _ valid: [Bool]) -> Double {
    let (width, height, certain) = (opacity.width, opacity.height, Tuning.certain)
    let isLost = opacity.values.indices.map { index in
      valid[index] && opacity.values[index] < certain.background
        && views.contains { $0.values[index] > certain.person }
    }
    let cores = Morphology.eroded(isLost, width, height, by: Tuning.speck)
    return Double(Morphology.dilated(cores, width, height, by: Tuning.speck).count { $0 })
  }

  /// The standard deviation of the brightness around the person; nil where hardly any background is seen.
  private static func unevenness(
    of image: Plane<Colour>, beside opacity: Plane<Float>, _ valid: [Bool]
  ) -> Double? {
    let (width, height, ring) = (image.width, image.height, Tuning.ring)
    let person = opacity.values.map { $0 > Tuning.certain.background }
    let near = Morphology.dilated(person, width, height, by: ring.from)
    let far = Morphology.dilated(person, width, height, by: ring.to)
    let places = near.indices.filter { far[$0] && !near[$0] && valid[$0] }
    guard places.count >= ring.leastPixels else { return nil }
    let luma = places.map { Double(image.values[$0].luma) }
    let mean = luma.reduce(0, +) / Double(luma.count)
    return (luma.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(luma.count)).squareRoot()
  }

  /// The half transparent pixels for each one of the outline.
  private static func looseness(of opacity: Plane<Float>, _ valid: [Bool]) -> Double {
    let (width, height) = (opacity.width, opacity.height)
    let person = opacity.values.map { $0 > 0.5 }
    let inside = Morphology.eroded(person, width, height, by: 1)
    let outline = person.indices.count { person[$0] && !inside[$0] && valid[$0] }
    let half = person.indices.count { valid[$0] && Tuning.halfTransparent.contains(opacity.values[$0]) }
    return Double(half) / Double(max(1, outline))
  }
}
