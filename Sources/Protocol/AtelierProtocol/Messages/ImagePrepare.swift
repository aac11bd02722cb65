/// Prepares a photo for `generate`, and keeps it for a day or returns it.
///
/// Accepts larger photos than `generate`: up to 40 MB and 60 megapixels, as a JPEG 250. The result is never too large for
/// `generate`.
public struct ImagePrepare: RequestMessage {
  public static let method = "image/prepare"

  public static let errors: [ErrorKind] = [
    .invalidImage, .invalidDimensions, .permissionDenied, .consentRequired, .fileAccessDenied, .notFound, .inputExpired,
    .timedOut, .imageTooLarge, .unsupportedImage, .storageFull,
  ]

  /// The photo.
  public var image: ImageSource
  /// The longest side of the prepared photo, in pixels; a smaller photo is not enlarged. Up to the default, the file has
  /// at most 2 MB. With more, it has as much detail as fits into the 7,000,000 bytes that `generate` takes: 4096 is for a
  /// headshot from a photo of many megapixels. Default 1280.
  @Limited<PreparedSide> public var longestSide: Int?
  /// true: the prepared photo is in the answer and is not kept. Default false.
  public var inline: Bool?
  /// The account that the prepared photo belongs to. Default: the connection's account, otherwise `owner`.
  public var account: AccountID?

  public init(image: ImageSource, longestSide: Int? = nil, inline: Bool? = nil, account: AccountID? = nil) {
    self.image = image
    self.longestSide = longestSide
    self.inline = inline
    self.account = account
  }

  /// The prepared photo.
  public struct Result: Codable, Sendable, Equatable {
    /// The id of the prepared photo, for `generate` as `{"preparedId": …}`; absent if it is not kept.
    public var preparedId: PreparedID?
    /// The file in base64, for `generate` as `{"data": …}`, if `inline` is true.
    public var data: String?
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The size of the prepared photo, in bytes.
    public var bytes: Int
    /// The media type, such as `image/jpeg`.
    public var mimeType: String
    /// The photo before it was prepared.
    public var original: Original
    /// The changes made, such as `rotated`, `resized` or `metadata_removed`; more may be added. Empty if none was
    /// needed.
    public var changes: [String]
    /// What the person should know about the prepared photo, such as `hdr_not_converted`; absent if there is nothing.
    public var warnings: [Warning]?
    /// When the prepared photo is erased; absent if it is not kept.
    public var expiresAt: Timestamp?

    public init(
      preparedId: PreparedID? = nil, data: String? = nil, width: Int, height: Int, bytes: Int, mimeType: String,
      original: Original, changes: [String], warnings: [Warning]? = nil, expiresAt: Timestamp? = nil
    ) {
      self.preparedId = preparedId
      self.data = data
      self.width = width
      self.height = height
      self.bytes = bytes
      self.mimeType = mimeType
      self.original = original
      self.changes = changes
      self.warnings = warnings
      self.expiresAt = expiresAt
    }
  }

  /// A photo before it was prepared.
  public struct Original: Codable, Sendable, Equatable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The size of the file, in bytes.
    public var bytes: Int
    /// The media type, recognised by the content of the file.
    public var mimeType: String

    public init(width: Int, height: Int, bytes: Int, mimeType: String) {
      self.width = width
      self.height = height
      self.bytes = bytes
      self.mimeType = mimeType
    }
  }
}
