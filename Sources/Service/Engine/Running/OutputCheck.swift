import AtelierProtocol
import Localization
import Providers

/// Compares a picture with the requested shape and size: models do not always keep to them.
struct OutputCheck: Sendable {
  private let aspectRatio: String?
  private let size: String?

  /// Models make sides in whole blocks of 32 pixels, so that each may be half a block off.
  private static let halfBlock = 16.0
  /// The relative deviation of a ratio or a side that is always allowed.
  private static let tolerance = 0.03

  init(_ output: Generate.Output?) {
    aspectRatio = output?.aspectRatio
    // The whole frame has the photo's shape, which may be that of a panorama.
    size = output?.crop == .wholeFrame ? nil : output?.size
  }

  /// The warnings for a person about the picture.
  func warnings(_ image: ProviderImage) -> [Warning] { warnings(width: image.width, height: image.height) }

  func warnings(width: Int, height: Int) -> [Warning] {
    var warnings: [Warning] = []
    let found: Sentence = "the picture has \(width) × \(height) pixels."
    if let aspectRatio, let wanted = Self.pair(aspectRatio, ":"), !Self.has(width, height, ratio: wanted) {
      warnings.append(
        Warning(
          kind: "aspect_ratio_differs", message: "The model did not keep to the aspect ratio \(aspectRatio): \(found)"))
    }
    if let size, !Self.has(width, height, size: size) {
      warnings.append(Warning(kind: "size_differs", message: "The model did not keep to the size \(size): \(found)"))
    }
    return warnings
  }

  private static func has(_ width: Int, _ height: Int, ratio: (Double, Double)) -> Bool {
    guard width > 0, height > 0 else { return false }
    let (width, height) = (Double(width), Double(height))
    let wanted = ratio.0 / ratio.1
    let least = min(width / height * (1 - tolerance), max(1, width - halfBlock) / (height + halfBlock))
    let most = max(width / height * (1 + tolerance), (width + halfBlock) / max(1, height - halfBlock))
    return (least...most).contains(wanted)
  }

  private static func has(_ width: Int, _ height: Int, size: String) -> Bool {
    if let sides = pair(size, "x") { return isNear(width, sides.0) && isNear(height, sides.1) }
    guard let side = side(size) else { return true }
    // A name stands for the pixel count of a square, in any shape. Each size has four times the pixels of the one
    // before, so a count nearer to another size is that size.
    let pixels = Double(width) * Double(height)
    return (0.45...2).contains(pixels / (side * side))
  }

  private static func isNear(_ side: Int, _ wanted: Double) -> Bool {
    abs(Double(side) - wanted) <= max(2 * halfBlock, wanted * tolerance)
  }

  /// The side of the square that a name such as `1K` or `512` stands for; nil for one like `auto`, which leaves it
  /// open.
  private static func side(_ name: String) -> Double? {
    if let last = name.last, last == "K" || last == "k" { return number(name.dropLast()).map { $0 * 1024 } }
    return number(name[...])
  }

  private static func pair(_ text: String, _ separator: Character) -> (Double, Double)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = number(parts[0]), let second = number(parts[1]) else { return nil }
    return (first, second)
  }

  private static func number(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let value = Double(text), value > 0
    else { return nil }
    return value
  }
}
