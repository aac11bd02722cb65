/// A picture that was made, and its file.
public struct GeneratedImage: Codable, Sendable, Equatable {
  /// The position among the requested pictures, from 0.
  public var index: Int
  /// In a multi-angle generation: `front`, `left`, `right` or `back`.
  public var view: String?
  /// The path of the file: the copy in the output directory if one was named, otherwise the service's own file. Absent
  /// if a private request named no output directory, on a confined connection if the file is outside its folders, and
  /// while the file is in the operator's bucket only: `image/read` fetches it.
  @HostPath public var path: String?
  /// The path of the service's own file, if `path` is the copy in the output directory.
  @HostPath public var storedPath: String?
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
  /// The file in base64, if `output.inline` is true or the file could not be stored.
  public var data: String?
  /// The matte, if `output.matte` was true.
  public var matte: PictureMatte?

  public init(
    index: Int, view: String? = nil, path: String? = nil, storedPath: String? = nil, mimeType: String, width: Int,
    height: Int, bytes: Int,
    sha256: String, data: String? = nil, matte: PictureMatte? = nil
  ) {
    self.index = index
    self.view = view
    self.path = path
    self.storedPath = storedPath
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.bytes = bytes
    self.sha256 = sha256
    self.data = data
    self.matte = matte
  }
}

/// The matte of a picture, and its file: gray levels of 8 bits, as large as the picture. 255 is the person, 0 is the
/// background, and what is between is the part of the person in that pixel.
public struct PictureMatte: Codable, Sendable, Equatable {
  /// The path of the file, as that of the picture.
  @HostPath public var path: String?
  /// The path of the service's own file, if `path` is the copy in the output directory.
  @HostPath public var storedPath: String?
  /// The media type: `image/png`.
  public var mimeType: String
  /// The size of the file, in bytes.
  public var bytes: Int
  /// The SHA-256 of the file, in hexadecimal.
  public var sha256: String
  /// The file in base64, if `output.inline` is true or the file could not be stored.
  public var data: String?

  public init(
    path: String? = nil, storedPath: String? = nil, mimeType: String, bytes: Int, sha256: String, data: String? = nil
  ) {
    self.path = path
    self.storedPath = storedPath
    self.mimeType = mimeType
    self.bytes = bytes
    self.sha256 = sha256
    self.data = data
  }
}
