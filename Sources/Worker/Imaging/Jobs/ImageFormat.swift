import AtelierProtocol

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
