/// A picture that was made: a file of the service's, and what is in it.
public struct GeneratedImage: Codable, Sendable, Equatable {
  /// Position among the pictures asked for, from 0.
  public var index: Int
  /// `front`, `left`, `right` or `back` of a multi-angle generation.
  public var view: String?
  /// The file; in the output directory where one was named. Absent when none was kept, because the request was private.
  public var path: String?
  /// The media type, such as `image/jpeg`.
  public var mimeType: String
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The size of the file.
  public var bytes: Int
  /// The SHA-256 of the file, in hexadecimal.
  public var sha256: String
  /// The file in base64, where `output.inline` asked for it.
  public var data: String?

  public init(
    index: Int, view: String? = nil, path: String? = nil, mimeType: String, width: Int, height: Int, bytes: Int,
    sha256: String, data: String? = nil
  ) {
    self.index = index
    self.view = view
    self.path = path
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.bytes = bytes
    self.sha256 = sha256
    self.data = data
  }
}

extension GeneratedImage: SchemaDescribed {
  public static let summary = "A picture that was made: a file of the service's, and what is in it."

  public static let members = [
    "index": "Position among the pictures asked for, from 0.",
    "view": "`front`, `left`, `right` or `back` of a multi-angle generation.",
    "path":
      "The file; in the output directory where one was named. Absent when none was kept, because the request "
      + "was private.",
    "mimeType": "The media type, such as `image/jpeg`.",
    "width": "Pixels.",
    "height": "Pixels.",
    "bytes": "The size of the file.",
    "sha256": "The SHA-256 of the file, in hexadecimal.",
    "data": "The file in base64, where `output.inline` asked for it.",
  ]
}
