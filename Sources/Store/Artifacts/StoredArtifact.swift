/// A file that rows refer to, named by its content.
public struct StoredArtifact: Sendable, Hashable {
  /// The SHA-256 of the bytes, 64 lowercase hexadecimal digits.
  public var sha256: String
  public var mimeType: String
  public var bytes: Int
  /// The absolute path of the file.
  public var path: String
}
