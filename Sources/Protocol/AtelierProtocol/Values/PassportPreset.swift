/// What a country, an authority or a portal asks of a photo, under a name.
public struct PassportPreset: Codable, Sendable, Equatable {
  /// The name, for `passportSize`: in the built-in list the country's two letters (ISO 3166), and perhaps what the photo is
  /// for, such as `us-visa`.
  public var id: String
  /// The country, and what the photo is for, in English.
  public var title: String
  /// The size in print, such as `35x45` or `2x2in`.
  public var size: PassportSize
  /// The height of the head from chin to crown. Default: that of the nearest size that has a rule.
  public var headHeight: HeadHeight?
  /// The height of the eyes above the lower edge.
  public var eyeHeight: HeadHeight?
  /// The width and height in pixels, such as `600x600`, if a portal asks for exactly these.
  public var pixels: String?
  /// The fewest bytes that a portal takes, for a request that names none.
  public var minBytes: Int?
  /// The most bytes that a portal takes, for a request that names none.
  public var maxBytes: Int?

  public init(
    id: String, title: String, size: PassportSize, headHeight: HeadHeight? = nil, eyeHeight: HeadHeight? = nil,
    pixels: String? = nil, minBytes: Int? = nil, maxBytes: Int? = nil
  ) {
    self.id = id
    self.title = title
    self.size = size
    self.headHeight = headHeight
    self.eyeHeight = eyeHeight
    self.pixels = pixels
    self.minBytes = minBytes
    self.maxBytes = maxBytes
  }
}
