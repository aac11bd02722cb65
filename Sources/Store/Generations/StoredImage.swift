/// One image of a finished generation.
public struct StoredImage: Sendable, Equatable {
  /// Position among the images asked for, from 0.
  public var index: Int
  public var view: String?
  /// The SHA-256 of the bytes, 64 lowercase hexadecimal digits.
  public var sha256: String
  public var mimeType: String
  public var bytes: Int
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The copy in the caller's output directory.
  public var outputPath: String?
  /// The file; nil when none was kept, because the generation was private.
  public var artifact: StoredArtifact?
}
