/// Returns a picture of a generation in base64, for hosts that cannot read the service's files.
///
/// An answer has at most 1,048,575 bytes of the picture; `nextOffset` says where the next slice begins. That number is a
/// multiple of three, so the texts of consecutive slices can be joined before they are decoded.
public struct ImageRead: RequestMessage {
  public static let method = "image/read"

  public static let errors: [ErrorKind] = [
    .invalidDimensions, .permissionDenied, .notFound, .inputExpired, .notFinished, .timedOut,
  ]

  /// The most bytes of a picture in one answer.
  public static let maximumSliceBytes = 1_048_575

  /// The generation that made the picture.
  public var generationId: GenerationID
  /// Which of its pictures. Default 0.
  @Limited<ImageIndex> public var index: Int?
  /// The stored file, a small picture, the matte, or the photo. Default: `thumbnail` if `maxSide` is given or `watermark` is
  /// true, otherwise `full`.
  public var variant: Variant?
  /// The longest side of a thumbnail, in pixels; not with `full` or `matte`. A smaller picture is not enlarged. Default 256;
  /// with `original`, the photo is returned as it is kept if this is absent.
  @Limited<ThumbnailSide> public var maxSide: Int?
  /// true: a small JPEG with the operator's watermark over all of it, at every size; not with `full` or `matte`. If the
  /// operator has configured no watermark, the picture is refused with `not_found`. Default false.
  public var watermark: Bool?
  /// The picture on a sheet of paper in place of the stored file, to be printed and cut; not with `maxSide`, `watermark` or
  /// another variant than `full`. If it does not fit on the paper, it is refused with `invalid_dimensions`.
  public var sheet: PrintSheet?
  /// The first byte to return: 0, or `nextOffset` of the previous slice. Default 0.
  @Limited<ByteOffset> public var offset: Int?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(
    generationId: GenerationID, index: Int? = nil, variant: Variant? = nil, maxSide: Int? = nil,
    watermark: Bool? = nil, sheet: PrintSheet? = nil, offset: Int? = nil, account: AccountID? = nil
  ) {
    self.generationId = generationId
    self.index = index
    self.variant = variant
    self.maxSide = maxSide
    self.watermark = watermark
    self.sheet = sheet
    self.offset = offset
    self.account = account
  }

  /// What is returned of a picture.
  public enum Variant: String, Codable, Sendable, CaseIterable {
    /// The file as the provider made it, byte for byte.
    case full
    /// A small JPEG.
    case thumbnail
    /// The matte of the picture, if it was asked for with `output.matte`.
    case matte
    /// The photo, or the earlier picture, that the generation works from, as long as it is kept; also before it has ended.
    /// `index` has no meaning for it.
    case original
  }

  /// A picture, or a slice of it.
  public struct Result: Codable, Sendable, Equatable {
    /// The bytes from `offset` on, in base64.
    public var data: String
    /// The media type of the whole, such as `image/jpeg`; of a sheet in PDF `application/pdf`.
    public var mimeType: String
    /// The width in pixels; of a sheet with 300 in an inch.
    public var width: Int
    /// The height in pixels, likewise.
    public var height: Int
    /// The size of the whole, in bytes.
    public var bytes: Int
    /// The position of the first byte in `data`.
    public var offset: Int
    /// The `offset` of the next slice; absent in the last one.
    public var nextOffset: Int?

    public init(
      data: String, mimeType: String, width: Int, height: Int, bytes: Int, offset: Int, nextOffset: Int? = nil
    ) {
      self.data = data
      self.mimeType = mimeType
      self.width = width
      self.height = height
      self.bytes = bytes
      self.offset = offset
      self.nextOffset = nextOffset
    }
  }
}
