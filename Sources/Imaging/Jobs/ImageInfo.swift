/// What a picture's header says.
public struct ImageInfo: Codable, Sendable, Equatable {
  /// How the pixels describe colour.
  public enum ColourModel: String, Codable, Sendable {
    case grey, rgb, cmyk
  }

  /// What a picture carries besides its pixels.
  public struct Metadata: Codable, Sendable, Equatable {
    public var exif: Bool
    /// True when EXIF names a place.
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
  /// Pixels in a row of the upright picture, as a viewer shows it.
  public var width: Int
  /// Rows of the upright picture.
  public var height: Int
  /// The EXIF orientation of the stored pixels, 1…8; 1 when they are stored upright (always so for HEIC and AVIF).
  public var orientation: Int
  public var hasAlpha: Bool
  public var bitsPerChannel: Int
  public var colourModel: ColourModel
  public var metadata: Metadata
  /// The size of the whole file.
  public var bytes: Int

  /// The media type, as it goes over the wire and to providers.
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

/// The dimensions a picture may have, judged by its header before anything is decoded.
public struct ImageLimits: Codable, Sendable, Equatable {
  /// The least length of either side, in pixels.
  public var minimumSide: Int
  /// The greatest length of either side, in pixels.
  public var maximumSide: Int
  /// The greatest number of pixels.
  public var maximumPixels: Int

  public init(minimumSide: Int, maximumSide: Int, maximumPixels: Int) {
    self.minimumSide = minimumSide
    self.maximumSide = maximumSide
    self.maximumPixels = maximumPixels
  }

  /// What `generate` accepts: sides of 256 to 4096 pixels (REQUIREMENTS 2.3).
  public static let generation = ImageLimits(minimumSide: 256, maximumSide: 4096, maximumPixels: 60_000_000)
  /// What `image/prepare` accepts: up to 60 megapixels; larger pictures are scaled down, none is scaled up
  /// (REQUIREMENTS 2.3).
  public static let preparation = ImageLimits(minimumSide: 1, maximumSide: 65_535, maximumPixels: 60_000_000)
}

/// The picture formats Atelier reads, recognised by content (REQUIREMENTS 2.1).
public enum ImageFormat: String, Codable, Sendable, CaseIterable {
  case jpeg, png, webp, heic, avif

  /// The media type, as it goes over the wire and to providers.
  public var mimeType: String { "image/\(rawValue)" }

  /// The usual ending of a file name, without the dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
