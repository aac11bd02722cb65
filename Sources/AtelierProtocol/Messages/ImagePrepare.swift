/// Makes a photo fit for `generate`, and keeps it for a day.
///
/// Takes larger photos than `generate` does: up to 40 MB and 60 megapixels.
public struct ImagePrepare: RequestMessage {
  public static let method = "image/prepare"

  public static let errors: [ErrorKind] = [
    .invalidImage, .invalidDimensions, .permissionDenied, .fileAccessDenied, .notFound, .inputExpired, .timedOut,
    .imageTooLarge, .unsupportedImage, .storageFull,
  ]

  /// The photo.
  public var image: ImageSource
  /// The account, by the rule for accounts.
  public var account: AccountID?

  public init(image: ImageSource, account: AccountID? = nil) {
    self.image = image
    self.account = account
  }

  /// The prepared photo.
  public struct Result: Codable, Sendable, Equatable {
    /// What `generate` takes as `{"preparedId": …}`.
    public var preparedId: PreparedID
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// The size of the prepared photo.
    public var bytes: Int
    /// The media type, such as `image/jpeg`.
    public var mimeType: String
    /// What the photo was.
    public var original: Original
    /// What was done, such as `rotated`, `resized` or `metadata_removed`; more may come. Empty: it was fit already.
    public var changes: [String]
    /// When it is erased.
    public var expiresAt: Timestamp

    public init(
      preparedId: PreparedID, width: Int, height: Int, bytes: Int, mimeType: String, original: Original,
      changes: [String], expiresAt: Timestamp
    ) {
      self.preparedId = preparedId
      self.width = width
      self.height = height
      self.bytes = bytes
      self.mimeType = mimeType
      self.original = original
      self.changes = changes
      self.expiresAt = expiresAt
    }
  }

  /// What a photo was before.
  public struct Original: Codable, Sendable, Equatable {
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// The size of the file.
    public var bytes: Int
    /// The media type, by its content.
    public var mimeType: String

    public init(width: Int, height: Int, bytes: Int, mimeType: String) {
      self.width = width
      self.height = height
      self.bytes = bytes
      self.mimeType = mimeType
    }
  }
}
