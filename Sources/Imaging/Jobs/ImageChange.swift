/// Something that was done to a picture to prepare it; the names go over the wire in `image/prepare`.
public enum ImageChange: String, Codable, Sendable, CaseIterable {
  /// Turned or mirrored upright.
  case rotated
  /// Scaled down.
  case resized
  /// EXIF, place, XMP, IPTC, comments, embedded previews or a colour profile were dropped.
  case metadataRemoved = "metadata_removed"
  /// Converted to sRGB with 8 bits a channel.
  case colorConverted = "color_converted"
  /// Laid on white where it was transparent.
  case transparencyFlattened = "transparency_flattened"
  /// Stored as JPEG, which it was not.
  case formatChanged = "format_changed"
  /// Compressed again as JPEG.
  case recompressed
}
