/// Returns a link with which anybody can read a picture of a generation for ten minutes, for hosts that hand it to a browser
/// without carrying its bytes.
///
/// The link leads to the operator's bucket, and needs neither a key nor an account: whoever has it has the picture. It is
/// refused with `permission_denied` unless the operator has switched links on, and ends early when the picture is deleted,
/// or when the bucket's key is a temporary one that ends.
public struct ImageLink: RequestMessage {
  public static let method = "image/link"

  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished]

  /// How long a link can be used, in seconds.
  public static let lifetimeSeconds = 600

  /// The generation that made the picture.
  public var generationId: GenerationID
  /// Which of its pictures. Default 0.
  @Limited<ImageIndex> public var index: Int?
  /// The picture or its matte. Default `full`.
  public var variant: Variant?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(generationId: GenerationID, index: Int? = nil, variant: Variant? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.index = index
    self.variant = variant
    self.account = account
  }

  /// What a link leads to.
  public enum Variant: String, Codable, Sendable, CaseIterable {
    /// The file as the provider made it, byte for byte.
    case full
    /// The matte of the picture, if it was asked for with `output.matte`.
    case matte
  }

  /// A link to a picture.
  public struct Result: Codable, Sendable, Equatable {
    /// The link, for GET. Whoever has it can read the picture: do not write it into a log.
    public var url: SecretLink
    /// When the link ends.
    public var expiresAt: Timestamp
    /// The media type, such as `image/jpeg`.
    public var mimeType: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The size of the file, in bytes.
    public var bytes: Int
    /// The SHA-256 of the file, in hexadecimal.
    public var sha256: String

    public init(
      url: SecretLink, expiresAt: Timestamp, mimeType: String, width: Int, height: Int, bytes: Int, sha256: String
    ) {
      self.url = url
      self.expiresAt = expiresAt
      self.mimeType = mimeType
      self.width = width
      self.height = height
      self.bytes = bytes
      self.sha256 = sha256
    }
  }
}
