import AtelierProtocol

/// The contents of a picture's header.
public struct ImageInfo: Codable, Sendable, Equatable {
  /// The colour model of the pixels.
  public enum ColourModel: String, Codable, Sendable {
    case grey, rgb, cmyk
  }

  /// The metadata that a picture contains.
  public struct Metadata: Codable, Sendable, Equatable {
    public var exif: Bool
    /// True when EXIF contains a location.
    public var location: Bool
    public var xmp: Bool
    public var iptc: Bool
    /// True when a colour profile is embedded.
    public var colourProfile: Bool

    public init(exif: Bool, location: Bool, xmp: Bool, iptc: Bool, colourProfile: Bool) {
      self.exif = exif
      self.location = location
      self.xmp = xmp
      self.iptc = iptc
      self.colourProfile = colourProfile
    }
  }

  public var format: ImageFormat
  /// The width in pixels of the upright picture, as a viewer shows it.
  public var width: Int
  /// The height in pixels of the upright picture.
  public var height: Int
  /// The EXIF orientation of the stored pixels, 1…8; 1 if they are stored upright (always so for HEIC and AVIF).
  public var orientation: Int
  public var hasAlpha: Bool
  public var bitsPerChannel: Int
  public var colourModel: ColourModel
  public var metadata: Metadata
  /// The size of the whole file in bytes.
  public var bytes: Int

  /// The media type, as sent in the protocol and to providers.
  public var mimeType: String { format.mimeType }

  public init(
    format: ImageFormat, width: Int, height: Int, orientation: Int, hasAlpha: Bool, bitsPerChannel: Int,
    colourModel: ColourModel, metadata: Metadata, bytes: Int
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.bitsPerChannel = bitsPerChannel
    self.colourModel = colourModel
    self.metadata = metadata
    self.bytes = bytes
  }
}

/// The allowed dimensions of a picture, checked against its header before anything is decoded.
public struct ImageLimits: Codable, Sendable, Equatable {
  /// The minimum length of either side, in pixels.
  public var minimumSide: Int
  /// The maximum length of either side, in pixels.
  public var maximumSide: Int
  /// The maximum number of pixels.
  public var maximumPixels: Int
  /// The same of a picture that is decoded at a part of its size.
  public var maximumReducedPixels: Int

  /// - Parameter maximumReducedPixels: nil for no more than `maximumPixels`.
  public init(minimumSide: Int, maximumSide: Int, maximumPixels: Int, maximumReducedPixels: Int? = nil) {
    self.minimumSide = minimumSide
    self.maximumSide = maximumSide
    self.maximumPixels = maximumPixels
    self.maximumReducedPixels = maximumReducedPixels ?? maximumPixels
  }

  /// The limits of `generate`: sides of 256 to 4096 pixels.
  public static let generation = ImageLimits(minimumSide: 256, maximumSide: 4096, maximumPixels: 60_000_000)
  /// The limits of `image/prepare`: up to 60 megapixels, 250 of a JPEG; larger pictures are scaled down, none is scaled up.
  public static let preparation = ImageLimits(
    minimumSide: 1, maximumSide: 65_535, maximumPixels: 60_000_000, maximumReducedPixels: 250_000_000)
}

/// The picture formats that Atelier reads, recognised by content.
public enum ImageFormat: String, Codable, Sendable, CaseIterable {
  case jpeg, png, webp, heic, avif

  public init(_ format: PictureFormat) {
    self =
      switch format {
      case .jpeg: .jpeg
      case .png: .png
      case .webp: .webp
      }
  }

  /// The media type, as sent in the protocol and to providers.
  public var mimeType: String { "image/\(rawValue)" }

  /// The usual file name extension, without the dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
