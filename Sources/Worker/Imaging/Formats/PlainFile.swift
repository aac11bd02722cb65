/// Checks whether a file contains only pixels: no metadata, comments, previews or colour profiles, no animation, and no
/// data hidden after its end. Only data known to be harmless is accepted.
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
