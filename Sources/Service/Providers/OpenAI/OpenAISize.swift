import AtelierProtocol
import Localization

/// Determines the `size` sent to a server from a request's size and aspect ratio.
///
/// `1K`, `2K` and `4K` mean the pixel count of a square with sides of 1024, 2048 and 4096, in any aspect ratio, up to
/// the model's limit.
struct OpenAISize: Sendable {
  /// The sizes that a model supports.
  private enum Rule {
    /// The three sizes of the first models.
    case presets
    /// Any sides that are multiples of 16, within limits.
    case free(leastPixels: Int)
  }

  private let model: String
  private let rule: Rule

  private static let step = 16
  private static let longestSide = 3840
  private static let mostPixels = 3840 * 2160

  init(model: String) {
    self.model = model
    if model.hasPrefix("gpt-image-1") {
      rule = .presets
    } else {
      let isOpenAIs = model.hasPrefix("gpt-image-") || model.hasPrefix("chatgpt-image-")
      rule = .free(leastPixels: isOpenAIs ? 655_360 : 1)
    }
  }

  /// - Parameters:
  ///   - size: as in ``ImageRequest/size``.
  ///   - aspectRatio: as in ``ImageRequest/aspectRatio``.
  ///   - photo: the sides of the photo, whose aspect ratio is kept if no other is requested.
  /// - Returns: a size such as `1536x1024`; nil leaves it to the server.
  /// - Throws: `unsupported_by_provider`, with an alternative.
  func text(
    size: String?, aspectRatio: String?, photo: (width: Int, height: Int)? = nil
  ) throws(AtelierError) -> String? {
    if size == nil, aspectRatio == nil { return nil }
    if size == "auto" {
      guard aspectRatio == nil else {
        throw Self.refusal("With the size “auto” the shape is the model's choice: leave aspectRatio out.")
      }
      return size
    }
    let shape = try aspectRatio.map(Self.shape)
    if let size, let sides = Self.pair(size, "x") {
      try check(sides, shape: shape)
      return "\(sides.0)x\(sides.1)"
    }
    guard let side = Self.names[size ?? "1K"] else {
      throw Self.refusal("This provider accepts the sizes 1K, 2K, 4K and auto, and sizes in pixels such as 1024x1536.")
    }
    let (width, height) = shape ?? photo.map { Self.withinReach($0.width, $0.height) } ?? (1, 1)
    switch rule {
    case .presets: return try preset(width, height, side: side, isPhotos: shape == nil)
    case .free: return Self.fitting(width, height, side: side)
    }
  }

  private static let names = ["1K": 1024, "2K": 2048, "4K": 4096]

  // MARK: Reading

  private static func pair(_ text: String, _ separator: Character) -> (Int, Int)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }),
      let first = Int(parts[0]), let second = Int(parts[1]), (1...100_000).contains(first),
      (1...100_000).contains(second)
    else { return nil }
    return (first, second)
  }

  private static func shape(_ text: String) throws(AtelierError) -> (Int, Int) {
    guard let shape = pair(text, ":") else { throw refusal("An aspectRatio is written as 1:1 or 3:2.") }
    guard shape.0 <= shape.1 * 3, shape.1 <= shape.0 * 3 else {
      throw refusal("This provider makes pictures from 1:3 to 3:1: choose another aspectRatio.")
    }
    return shape
  }

  /// The nearest supported aspect ratio.
  private static func withinReach(_ width: Int, _ height: Int) -> (Int, Int) {
    if width > height * 3 { return (3, 1) }
    if height > width * 3 { return (1, 3) }
    return (max(width, 1), max(height, 1))
  }

  // MARK: Sides that were asked for

  private func check(_ sides: (Int, Int), shape: (Int, Int)?) throws(AtelierError) {
    let (width, height) = sides
    if let shape, abs(width * shape.1 - height * shape.0) > Self.step * max(shape.0, shape.1) {
      throw Self.refusal("The size and the aspectRatio contradict each other: leave one of them out.")
    }
    switch rule {
    case .presets:
      guard Self.presets.contains("\(width)x\(height)") else { throw presetRefusal }
    case .free(let leastPixels):
      guard width.isMultiple(of: Self.step), height.isMultiple(of: Self.step) else {
        throw Self.refusal("The sides of a picture of this provider must be multiples of 16.")
      }
      guard width <= height * 3, height <= width * 3 else {
        throw Self.refusal("This provider makes pictures from 1:3 to 3:1: choose another size.")
      }
      guard max(width, height) <= Self.longestSide, (leastPixels...Self.mostPixels).contains(width * height) else {
        throw Self.refusal(
          leastPixels > 1
            ? "This size is out of the provider's range: at most \(Self.longestSide) pixels a side and 3840x2160 in all, at "
              + "least 1024x640."
            : "This size is out of the provider's range: at most \(Self.longestSide) pixels a side and 3840x2160 in all.")
      }
    }
  }

  // MARK: Sizes by name

  private static let presets = ["1024x1024", "1536x1024", "1024x1536"]

  private var presetRefusal: AtelierError {
    Self.refusal(
      "The model “\(model)” makes pictures of 1024x1024, 1536x1024 and 1024x1536: choose one of these, or another "
        + "model.")
  }

  private func preset(_ width: Int, _ height: Int, side: Int, isPhotos: Bool) throws(AtelierError) -> String {
    guard side == 1024 else { throw presetRefusal }
    if isPhotos {
      let ratio = Double(width) / Double(height)
      return Self.presets[ratio > 1.25 ? 1 : ratio < 0.8 ? 2 : 0]
    }
    switch (width, height) {
    case _ where width == height: return Self.presets[0]
    case _ where width * 2 == height * 3: return Self.presets[1]
    case _ where width * 3 == height * 2: return Self.presets[2]
    default: throw presetRefusal
    }
  }

  /// Sides with exactly this aspect ratio, if some come near the pixel count of the square; otherwise the sides nearest
  /// to the ratio.
  private static func fitting(_ width: Int, _ height: Int, side: Int) -> String {
    let pixels = min(side * side, mostPixels)
    let divisor = greatestCommonDivisor(width, height)
    let unit = (width: width / divisor * step, height: height / divisor * step)
    let count = Int((Double(pixels) / Double(unit.width) / Double(unit.height)).squareRoot())
    let exact = (width: unit.width * count, height: unit.height * count)
    if max(exact.width, exact.height) <= longestSide, exact.width * exact.height * 4 >= pixels * 3 {
      return "\(exact.width)x\(exact.height)"
    }
    return nearest(Double(width) / Double(height), pixels: Double(pixels))
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
  }

  private static func nearest(_ ratio: Double, pixels: Double) -> String {
    let width = min((pixels * ratio).squareRoot(), Double(longestSide), Double(longestSide) * ratio)
    let steps = Int(width / Double(step))
    let counts = max(1, steps - 2)...max(1, steps)
    let candidates = counts.compactMap { count -> (width: Int, height: Int, error: Double)? in
      let width = count * step
      let height = max(step, Int((Double(width) / ratio / Double(step)).rounded()) * step)
      guard max(width, height) <= longestSide, width * height <= mostPixels, width <= height * 3, height <= width * 3
      else { return nil }
      return (width, height, abs(Double(width) / Double(height) / ratio - 1))
    }
    guard let best = candidates.min(by: { ($0.error, -$0.width) < ($1.error, -$1.width) }) else { return "1024x1024" }
    return "\(best.width)x\(best.height)"
  }

  private static func refusal(_ sentence: Sentence) -> AtelierError {
    AtelierError(.unsupportedByProvider, sentence, provider: .openai)
  }
}
