/// Whether a file holds pixels and nothing else: no metadata, comments, previews or colour profiles, no animation,
/// and nothing hidden behind its end. Only what is known to be harmless counts as such.
public enum PlainFile {
  public static func holdsOnlyPixels(_ bytes: [UInt8], format: ImageFormat) -> Bool {
    switch format {
    case .jpeg: JPEGSegments.areOnlyPixels(bytes)
    case .png: PNGChunks.areOnlyPixels(bytes)
    case .webp: WebPChunks.areOnlyPixels(bytes)
    case .heic, .avif: false
    }
  }
}
