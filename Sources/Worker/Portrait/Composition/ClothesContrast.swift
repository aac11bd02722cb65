import Localization

/// Whether shoulders and chest stand out from the new background.
///
/// White clothes before white seem to dissolve, however exact the edge is.
struct ClothesContrast {
  private typealias Tuning = CompositionTuning.Clothes

  /// The number of places on the outline that were looked at, and of those that do not stand out.
  private var places = 0
  private var lost = 0

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - opacity: of the person, of the same size.
  ///   - background: what will be behind the person, at any size.
  ///   - tone: the correction of the person's colours.
  ///   - chin: the row below which there are clothes.
  init(of image: Plane<Colour>, opacity: Plane<Float>, before background: Plane<Colour>, tone: ToneCurve, chin: Int) {
    let (width, height, reach) = (image.width, image.height, Tuning.reach)
    func compare(_ x: Int, _ y: Int, outwards: (x: Int, y: Int)) {
      let inside = (x: x - outwards.x * reach, y: y - outwards.y * reach)
      let outside = (x: x + outwards.x * reach, y: y + outwards.y * reach)
      guard (0..<width).contains(inside.x), (0..<height).contains(inside.y) else { return }
      guard (0..<width).contains(outside.x), (0..<height).contains(outside.y) else { return }
      guard opacity[inside.x, inside.y] > Tuning.certain.person else { return }
      guard opacity[outside.x, outside.y] < Tuning.certain.background else { return }
      let behind = background[outside.x * background.width / width, outside.y * background.height / height]
      let difference = tone.corrected(image[inside.x, inside.y]) - behind
      places += 1
      let colour = max(abs(difference.x), abs(difference.y), abs(difference.z))
      let part = Tuning.inDark + (1 - Tuning.inDark) * behind.luma
      let least = Tuning.leastDifference
      if abs(difference.luma) < least.luma * part, colour < least.colour * part { lost += 1 }
    }
    for y in max(1, chin)..<max(1, chin, height) {
      for x in 1..<width {
        let isPerson = opacity[x, y] > 0.5
        if isPerson != (opacity[x - 1, y] > 0.5) { compare(x, y, outwards: (isPerson ? -1 : 1, 0)) }
        if isPerson, opacity[x, y - 1] <= 0.5 { compare(x, y, outwards: (0, -1)) }
      }
    }
  }

  /// Whether the larger part of the outline is lost.
  var isLow: Bool { places >= Tuning.leastPlaces && Double(lost) > Double(places) * Tuning.lostPart }
}

extension PortraitWarning {
  static let clothesLikeBackground = PortraitWarning(
    kind: .clothesLikeBackground,
    message: "The clothes have nearly the colour of the background, so their outline hardly shows. "
      + "Other clothes or another background give a better picture.")
}
