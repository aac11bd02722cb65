import Imaging

/// Whether a file holds pixels and nothing else: no metadata, comments, previews or colour profiles, no animation,
/// and nothing hidden behind its end. Only what is known to be harmless counts as such.
enum PlainFile {
  static func holdsOnlyPixels(_ bytes: some RandomAccessCollection<UInt8>, format: ImageFormat) -> Bool {
    var reader = ByteReader(bytes)
    return switch format {
    case .jpeg: JPEGMarkers.areOnlyPixels(&reader)
    case .png: PNGChunks.areOnlyPixels(&reader)
    case .webp: WebPChunks.areOnlyPixels(&reader)
    case .heic, .avif: false
    }
  }
}
