import Encodings
import JSON

/// A picture, in exactly one of four forms.
public enum ImageSource: Hashable, Sendable {
  /// A file of the host; a relative path starts at the service's working directory.
  case path(String)
  /// The picture itself.
  case data(InlineImage)
  /// A result: picture `index` of the generation; nil stands for the first.
  case generation(GenerationID, index: Int?)
  /// A photo that `image/prepare` has prepared.
  case prepared(PreparedID)
}

extension ImageSource: Codable {
  enum CodingKeys: CodingKey {
    /// The path of a file; a relative path starts at the service's working directory.
    case path
    /// The picture itself in base64: the standard alphabet, padded, without line breaks or a `data:` prefix.
    case data
    /// The media type; for information only, because the bytes decide.
    case mimeType
    /// The generation that made the picture.
    case generationId
    /// Which of the generation's pictures, from 0. Default 0.
    case index
    /// A photo that `image/prepare` has prepared.
    case preparedId
  }

  private static let forms: [CodingKeys] = [.path, .data, .generationId, .preparedId]

  public init(from decoder: any Decoder) throws {
    let wanted = "an image in one form: {path}, {data, mimeType?}, {generationId, index?} or {preparedId}"
    guard let members = try? decoder.container(keyedBy: CodingKeys.self) else { throw JSONExpectation(wanted) }
    let given = Self.forms.filter(members.contains)
    guard given.count == 1, let form = given.first else { throw JSONExpectation(wanted) }
    switch form {
    case .path: self = .path(try members.decode(FilePath.self, forKey: .path).text)
    case .data:
      let data = try members.decode(Base64Picture.self, forKey: .data)
      var image = data.image
      image.mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
      self = .data(image)
    case .generationId:
      self = .generation(
        try members.decode(GenerationID.self, forKey: .generationId),
        index: try members.decode(Limited<ImageIndex>.self, forKey: .index).wrappedValue)
    default: self = .prepared(try members.decode(PreparedID.self, forKey: .preparedId))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .path(let path): try members.encode(path, forKey: .path)
    case .data(let image):
      try members.encode(image.base64, forKey: .data)
      try members.encodeIfPresent(image.mimeType, forKey: .mimeType)
    case .generation(let id, let index):
      try members.encode(id, forKey: .generationId)
      try members.encodeIfPresent(index, forKey: .index)
    case .prepared(let id): try members.encode(id, forKey: .preparedId)
    }
  }
}

/// A path that can be passed to the system.
private struct FilePath: Decodable {
  var text: String

  init(from decoder: any Decoder) throws {
    guard let text = try? String(from: decoder), PathLength.allows(text), !text.utf8.contains(0) else {
      throw JSONExpectation("the path of a file, of 1 to \(PathLength.maximum) characters")
    }
    self.text = text
  }
}

/// The text of an inline picture, checked.
private struct Base64Picture: Decodable {
  var image: InlineImage

  init(from decoder: any Decoder) throws {
    guard let text = try? String(from: decoder), let image = InlineImage(base64: text) else {
      throw JSONExpectation(
        "the picture's bytes in base64: the standard alphabet, padded, without line breaks or a data: prefix")
    }
    self.image = image
  }
}

/// A picture inside a message, kept as base64 until its bytes are needed.
public struct InlineImage: Hashable, Sendable {
  /// Valid base64 (RFC 4648, section 4) of at least one byte.
  public let base64: String
  /// The media type that the host names; only the bytes decide.
  public var mimeType: String?
  /// The size of the picture, in bytes.
  public let byteCount: Int

  /// - Returns: nil when the text is not base64, or empty.
  public init?(base64: String, mimeType: String? = nil) {
    guard let byteCount = Base64.decodedCount(base64), byteCount > 0 else { return nil }
    (self.base64, self.mimeType, self.byteCount) = (base64, mimeType, byteCount)
  }

  /// The encoded picture.
  public func decoded() -> [UInt8] { Base64.decoded(base64) ?? [] }
}
