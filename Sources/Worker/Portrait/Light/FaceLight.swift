import Glibc
import Localization

/// The light that falls on a face, measured on the face alone.
///
/// A face in the shade lacks highlights (on the skin, the whites of the eyes, teeth), and what it has is hardly brighter
/// than its skin. On dark skin highlights are nearly as bright as on light skin, and stand out far more. So the level of
/// the skin alone never says that light is missing. Only highlights that are darker than on any skin in good light say so
/// by themselves, as in a photo taken at night, where a lamp on one cheek stands out as well.
struct FaceLight: Equatable {
  private typealias Tuning = LightTuning.Face

  /// The brightness that 98 % of the face stay below, 0…1 gamma-coded.
  var highlight: Double
  /// Likewise of one half of the face.
  var median: Double
  /// The mean brightness of what will be behind the person, 0…1 gamma-coded; nil if nothing will be.
  var backdrop: Double?
  /// By how many stops the half of the face on the viewer's right is brighter than the other.
  var side = 0.0
  /// The part of the face that is nearly black, 0…1, and that of its upper half, which no beard or mask covers.
  var shade = 0.0
  var upperShade = 0.0

  init(highlight: Double, median: Double, backdrop: Double? = nil) {
    self.highlight = highlight
    self.median = median
    self.backdrop = backdrop
  }

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - opacity: of the person, of the same size.
  ///   - face: from chin to forehead and cheek to cheek, in pixels of the image.
  /// - Returns: nil when hardly any of the face is visible.
  init?(of image: Plane<Colour>, opacity: Plane<Float>, face: Rectangle) {
    let (across, down) = (face.width * Tuning.oval.across, face.height * Tuning.oval.down)
    var histogram = [Int](repeating: 0, count: 256)
    var total = 0
    var dark = (upper: 0, lower: 0, allUpper: 0)
    var halves = (left: (sum: 0.0, count: 1.0), right: (sum: 0.0, count: 1.0))
    let (left, right) = (max(0, Int(face.centre.x - across)), min(image.width, Int(face.centre.x + across)))
    let (top, bottom) = (max(0, Int(face.centre.y - down)), min(image.height, Int(face.centre.y + down)))
    guard left < right, top < bottom else { return nil }
    for y in top..<bottom {
      for x in left..<right where opacity[x, y] > 0.5 {
        let distance = hypot((Double(x) - face.centre.x) / across, (Double(y) - face.centre.y) / down)
        guard distance < 1 else { continue }
        let luma = Double(max(0, min(1, image[x, y].luma)))
        histogram[Int(luma * 255)] += 1
        total += 1
        let isUpper = Double(y) < face.centre.y
        if isUpper { dark.allUpper += 1 }
        if luma < Tuning.Shade.luma {
          dark.upper += isUpper ? 1 : 0
          dark.lower += isUpper ? 0 : 1
        }
        if Double(x) < face.centre.x {
          halves.left = (halves.left.sum + luma, halves.left.count + 1)
        } else {
          halves.right = (halves.right.sum + luma, halves.right.count + 1)
        }
      }
    }
    guard total >= Tuning.leastPixels else { return nil }
    func level(percent: Int) -> Double {
      var seen = 0
      let level = histogram.firstIndex { count in
        seen += count
        return seen * 100 >= total * percent
      }
      return Double(level ?? 255) / 255
    }
    self.init(highlight: level(percent: Tuning.percents.highlight), median: level(percent: Tuning.percents.median))
    shade = Double(dark.upper + dark.lower) / Double(total)
    upperShade = Double(dark.upper) / Double(max(1, dark.allUpper))
    side = log2(Self.linear(halves.right.sum / halves.right.count) / Self.linear(halves.left.sum / halves.left.count))
  }

  /// By how many stops the highlights are brighter than the skin.
  var contrast: Double { log2(Self.linear(highlight) / Self.linear(median)) }

  /// The light, 0…1 linear, of a brightness; never 0.
  private static func linear(_ brightness: Double) -> Double { ToneCurve.decode(max(Tuning.darkest, brightness)) }

  /// The light that the face lacks, in stops: what would be added without a limit.
  var lack: Double {
    guard highlight < Tuning.dim else { return 0 }
    let flatness = (Tuning.fullContrast - contrast) / (Tuning.fullContrast - Tuning.flatContrast)
    let darkness = (Tuning.dark.from - highlight) / (Tuning.dark.from - Tuning.dark.full)
    let certainty = max(0, min(1, max(flatness, darkness)))
    return Tuning.correction * log2(Self.linear(Tuning.dim) / Self.linear(highlight)) * certainty
  }

  /// Whether the light came from behind, if the backdrop is bright.
  var isMaybeBacklit: Bool { highlight < Tuning.Backlight.highlight && contrast < Tuning.Backlight.contrast.none }

  /// The light that the face lacks, in stops, to look lit by the light that makes the backdrop bright.
  private var backlightLack: Double {
    guard let backdrop, isMaybeBacklit else { return 0 }
    let (bright, flat) = (Tuning.Backlight.backdrop, Tuning.Backlight.contrast)
    let brightness = max(0, min(1, (backdrop - bright.from) / (bright.full - bright.from)))
    let asked = Tuning.dim + (Tuning.Backlight.highlight - Tuning.dim) * brightness
    let missing = log2(Self.linear(asked) / Self.linear(max(Tuning.dim, highlight)))
    return Tuning.correction * max(0, missing) * max(0, min(1, (flat.none - contrast) / (flat.none - flat.full)))
  }

  /// The light to add, in stops.
  var lift: Double { min(Tuning.maximumLift, lack + backlightLack) }

  /// Whether the face stays dark, because it lacks more light than may be added, or because much of it shows nothing.
  var isTooDark: Bool {
    lack > Tuning.maximumLift || shade >= Tuning.Shade.all && upperShade >= Tuning.Shade.upper
  }
}

extension PortraitWarning {
  static let tooDark = PortraitWarning(
    kind: .tooDark,
    message: "The face is too dark for the light to be balanced fully. "
      + "A photo with the light in front of the person gives a better picture.")

  static let outOfFocus = PortraitWarning(
    kind: .outOfFocus,
    message: "The face is out of focus, so the picture is blurred. Please use a photo that is sharp on the eyes.")
}
