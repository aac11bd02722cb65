/// The picture formats Atelier reads, recognised by content (REQUIREMENTS 2.1).
public enum ImageFormat: String, Codable, Sendable, CaseIterable {
  case jpeg, png, webp, heic, avif

  /// The media type, as it goes over the wire and to providers.
  public var mimeType: String { "image/\(rawValue)" }

  /// The usual ending of a file name, without the dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
