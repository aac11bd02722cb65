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
