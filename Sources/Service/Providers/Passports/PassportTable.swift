import AtelierProtocol
import Imaging
import Localization

/// The sizes of photos for passports that have a name, and what a size asks of a photo.
public struct PassportTable: Sendable {
  /// In the order of their names.
  public let presets: [PassportPreset]

  public static let builtIn = PassportTable()

  /// - Parameter own: the operator's, each of which replaces a built-in one of the same name.
  public init(adding own: [PassportPreset] = []) {
    let names = Set(own.map(\.id))
    presets = (own + Self.published.filter { !names.contains($0.id) }).sorted { $0.id < $1.id }
  }

  public enum Problem: Error, Equatable {
    case unknownName(String)
    /// Of a photo of this height, in millimetres.
    case headTooHigh(height: Double)
    /// The head is given in millimetres, and the photo only in pixels.
    case noPrintSize
    /// Of a photo of this height, in millimetres.
    case headTooLow(height: Double)
    case otherShape(PrintSize)

    public var sentence: Sentence {
      switch self {
      case .unknownName(let name):
        "There is no size for passports called “\(name)”. Choose one of the list, or a width and a height in millimetres, "
          + "such as 35x45."
      case .headTooHigh(let height):
        "The head would not fit in the photo, which is \(Self.text(height)) mm high: choose a smaller headHeight."
      case .headTooLow(let height):
        "The head would be hard to see in the photo, which is \(Self.text(height)) mm high: choose a larger headHeight."
      case .noPrintSize:
        "A photo that is only measured in pixels has no millimetres: give the headHeight in percent, such as 70-80%, or a "
          + "passportSize."
      case .otherShape(let size):
        "A photo of \(Self.text(size.width)) × \(Self.text(size.height)) mm has another shape than its size in pixels: "
          + "change one of them."
      }
    }

    private static func text(_ length: Double) -> String {
      length.rounded() == length ? String(Int(length)) : String((length * 10).rounded() / 10)
    }
  }

  /// The member of a preset that cannot be used, and what it must be; nil for a good one.
  public static func fault(of preset: PassportPreset) -> (member: String, expected: String)? {
    guard let id = PassportSize(text: preset.id), id.printed == nil, id.text == preset.id else {
      return ("id", "a name of two small letters or more, digits and dashes, such as us-visa")
    }
    if preset.size.printed == nil { return ("size", "a width and a height, such as 35x45 or 2x2in") }
    let sides = OnDeviceShape.exactSides(preset.pixels)
    if preset.pixels != nil, sides == nil { return ("pixels", "a width and a height in pixels, such as 600x600") }
    if let least = preset.minBytes, let most = preset.maxBytes, least > most { return ("minBytes", "at most maxBytes") }
    for (member, bytes) in [("minBytes", preset.minBytes), ("maxBytes", preset.maxBytes)] {
      if let bytes, !(1_000...20_000_000).contains(bytes) { return (member, "from 1000 to 20000000") }
    }
    if let eyes = preset.eyeHeight?.parts(of: preset.size.printed?.height), eyes.upperBound > 1 {
      return ("eyeHeight", "less than the height of the photo")
    }
    let table = PassportTable(adding: [preset])
    do throws(Problem) {
      let photo = try table.photo(of: id, head: nil, pixels: sides)
      guard let sides else { return nil }
      let shape = OnDeviceShape.shape(
        size: "\(sides.width)x\(sides.height)", aspectRatio: nil, crop: .passport, passport: photo)
      return shape == nil ? ("pixels", "from 100 to 2048 on each side") : nil
    } catch {
      switch error {
      case .otherShape: return ("pixels", "of the shape of the size in print")
      case .headTooLow: return ("headHeight", "at least a tenth of the height of the photo")
      case .unknownName, .headTooHigh, .noPrintSize:
        return ("headHeight", "less than nine tenths of the height of the photo")
      }
    }
  }

  /// The preset that a size names.
  public func preset(of size: PassportSize?) -> PassportPreset? {
    guard let size, size.printed == nil else { return nil }
    return presets.first { $0.id == size.text }
  }

  /// The size in print of a request's pictures; nil where the request does not decide it.
  /// - Parameter made: the sides of a picture that was made so, in pixels.
  /// - Throws: a problem where the list has no such size any more, or another one than the picture was made in.
  public func printed(
    of output: Generate.Output?, made: (width: Int, height: Int)? = nil
  ) throws(Problem) -> PrintSize? {
    guard output?.crop == .passport else { return nil }
    let pixels = OnDeviceShape.exactSides(output?.size)
    let printed = try photo(of: output?.passportSize, head: nil, pixels: pixels).printed
    if let made { _ = try Self.aspect(printed, made) }
    return printed
  }

  /// What a photo has to be.
  /// - Parameters:
  ///   - size: nil for the usual one, or for what `pixels` alone decides.
  ///   - head: nil for the rule that comes with the size.
  ///   - pixels: its sides, if they are prescribed.
  func photo(
    of size: PassportSize?, head: HeadHeight?, pixels: (width: Int, height: Int)?
  ) throws(Problem) -> PassportPhoto {
    let preset = preset(of: size)
    if let size, size.printed == nil, preset == nil { throw .unknownName(size.text) }
    let printed = preset?.size.printed ?? size?.printed ?? (pixels == nil ? PassportSize.standard.printed : nil)
    let aspect = try Self.aspect(printed, pixels)
    let rule = Self.rule(of: printed, aspect)
    guard let parts = (head ?? preset?.headHeight ?? rule.head).parts(of: printed?.height) else { throw .noPrintSize }
    guard parts.upperBound <= Self.highestHead else { throw .headTooHigh(height: printed?.height ?? 100) }
    guard parts.lowerBound >= Self.lowestHead else { throw .headTooLow(height: printed?.height ?? 100) }
    // The eyes of a rule belong to its head.
    let eyes = preset?.eyeHeight ?? (preset?.headHeight == nil ? rule.eyes : nil)
    return PassportPhoto(
      printed: printed, head: parts, eyes: head == nil ? eyes?.parts(of: printed?.height) : nil)
  }

  /// The highest head as a part of the photo's height: there has to be something around it.
  private static let highestHead = 0.9
  /// The lowest one: what is lower was meant in another unit.
  private static let lowestHead = 0.1
  /// How far two shapes may differ: sides in pixels are rounded, and so are millimetres.
  private static let sameShape = 0.02
  /// From this width as a part of the height, a photo counts as a square.
  private static let nearlySquare = 0.9

  private static func aspect(
    _ printed: PrintSize?, _ pixels: (width: Int, height: Int)?
  ) throws(Problem) -> Double {
    guard let pixels else { return printed.map { $0.width / $0.height } ?? 1 }
    let aspect = Double(pixels.width) / Double(max(1, pixels.height))
    if let printed, abs(aspect / (printed.width / printed.height) - 1) > sameShape { throw .otherShape(printed) }
    return aspect
  }

  /// The heights of head and eyes that come with a size.
  private static func rule(of printed: PrintSize?, _ aspect: Double) -> (head: HeadHeight, eyes: HeadHeight?) {
    let known = printed.flatMap { size in
      rules.first { abs($0.size.width - size.width) < 0.3 && abs($0.size.height - size.height) < 0.3 }
    }
    if let known { return (known.head, known.eyes) }
    guard aspect >= nearlySquare else { return (.icao, nil) }
    return (.square, nil)
  }
}
