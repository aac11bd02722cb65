import NIOCore

/// A form as browsers and clients send files (`multipart/form-data`, RFC 7578).
struct MultipartForm: Sendable {
  struct Field: Sendable {
    var name: String
    var fileName: String?
    var contentType: String?
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private(set) var fields: [Field] = []

  /// - Parameter contentType: the header of the request, with the boundary.
  /// - Throws: ``OpenAIError`` when the bytes are no such form.
  init(_ bytes: [UInt8], contentType: String) throws(OpenAIError) {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty
    else { throw Self.failure("Unsupported content type: it must be multipart/form-data with a boundary.") }
    let delimiter = Array("--\(boundary)".utf8)
    let places = Self.places(of: delimiter, in: bytes)
    guard places.first == 0, places.count > 1 else { throw Self.failure("The form does not begin with its boundary.") }
    for (start, end) in zip(places, places.dropFirst()) {
      try read(bytes[start + delimiter.count..<end])
    }
    let rest = bytes[(places.last ?? 0) + delimiter.count..<bytes.count]
    guard rest.starts(with: Array("--".utf8)) else { throw Self.failure("The form ends without its last boundary.") }
  }

  private static func failure(_ message: String) -> OpenAIError {
    .invalid("Could not parse multipart form: \(message)", param: nil, code: nil)
  }

  /// Reads one part, from the line end after its boundary to the line end before the next.
  private mutating func read(_ part: ArraySlice<UInt8>) throws(OpenAIError) {
    guard part.starts(with: Self.newLine), part.suffix(2).elementsEqual(Self.newLine) else {
      throw Self.failure("A boundary is not a line of its own.")
    }
    let content = part.dropFirst(2).dropLast(2)
    guard let emptyLine = Self.headersEnd(content) else { throw Self.failure("A part has no end of its headers.") }
    var field = Field(name: "", bytes: Array(content[(emptyLine + 4)...]))
    for line in String(decoding: content[..<emptyLine], as: UTF8.self).split(whereSeparator: \.isNewline) {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2 else { throw Self.failure("A part has a malformed header.") }
      switch pair[0].lowercased() {
      case "content-disposition":
        field.name = Self.parameter("name", of: String(pair[1])) ?? ""
        field.fileName = Self.parameter("filename", of: String(pair[1]))
      case "content-type": field.contentType = String(pair[1].drop { $0 == " " })
      default: break
      }
    }
    guard !field.name.isEmpty else { throw Self.failure("A part has no name.") }
    fields.append(field)
  }

  private static let newLine = Array("\r\n".utf8)

  private static func headersEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    return bytes.indices.first { bytes[$0...].starts(with: end) }
  }

  /// Where the delimiter begins: at the start, or after a line end.
  private static func places(of delimiter: [UInt8], in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var position = 0
    let opening = UInt8(ascii: "-")
    while position + delimiter.count <= bytes.count {
      // Most bytes of a picture are no hyphen.
      guard bytes[position] == opening, bytes[position..<position + delimiter.count].elementsEqual(delimiter),
        position == 0 || position >= 2 && bytes[position - 1] == 0x0A && bytes[position - 2] == 0x0D
      else {
        position += 1
        continue
      }
      places.append(position)
      position += delimiter.count
    }
    return places
  }

  /// A parameter of a header, in quotes or not.
  private static func parameter(_ name: String, of header: String) -> String? {
    for piece in header.split(separator: ";").dropFirst() {
      let pair = piece.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == name else { continue }
      let value = String(pair[1])
      return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : value
    }
    return nil
  }
}
