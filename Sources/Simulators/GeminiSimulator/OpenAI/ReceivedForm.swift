/// A form as browsers and clients send files (`multipart/form-data`, RFC 7578).
struct ReceivedForm: Sendable {
  struct Field: Sendable {
    var name = ""
    var fileName: String?
    var contentType: String?
    var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private(set) var fields: [Field] = []

  /// - Parameter contentType: the header of the request, with the boundary.
  /// - Throws: an error of the API when the bytes are no such form.
  init(_ bytes: [UInt8], contentType: String) throws(HTTPAnswer) {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty
    else { throw Self.failure("Unsupported content type: it must be multipart/form-data with a boundary.") }
    // With a line end before the first boundary it is like the others.
    let delimiter = Array("\r\n--\(boundary)".utf8)
    let places = Self.places(of: delimiter, in: Array("\r\n".utf8) + bytes)
    guard places.first == 0, places.count > 1 else { throw Self.failure("The form does not begin with its boundary.") }
    for (start, end) in zip(places, places.dropFirst()) {
      try fields.append(Self.field(bytes[start + delimiter.count - 2..<end - 2]))
    }
    guard bytes[((places.last ?? 0) + delimiter.count - 2)...].starts(with: "--".utf8) else {
      throw Self.failure("The form ends without its last boundary.")
    }
  }

  private static func failure(_ message: String) -> HTTPAnswer {
    .openAIError(400, "Could not parse multipart form: \(message)")
  }

  /// - Parameter part: from the line end after its boundary to the line end before the next.
  private static func field(_ part: ArraySlice<UInt8>) throws(HTTPAnswer) -> Field {
    guard part.starts(with: "\r\n".utf8) else { throw failure("A boundary is not a line of its own.") }
    guard let emptyLine = places(of: Array("\r\n\r\n".utf8), in: Array(part.prefix(8192))).first else {
      throw failure("A part has no end of its headers.")
    }
    var field = Field(bytes: Array(part.dropFirst(emptyLine + 4)))
    for line in String(decoding: part.prefix(emptyLine), as: UTF8.self).split(whereSeparator: \.isNewline) {
      let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { throw failure("A part has a malformed header.") }
      switch pair[0].lowercased() {
      case "content-disposition":
        (field.name, field.fileName) = (parameter("name", of: pair[1]) ?? "", parameter("filename", of: pair[1]))
      case "content-type": field.contentType = String(pair[1].drop { $0 == " " })
      default: break
      }
    }
    guard !field.name.isEmpty else { throw failure("A part has no name.") }
    return field
  }

  /// Where a delimiter stands that begins with a line end.
  private static func places(of delimiter: [UInt8], in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var position = 0
    while position + delimiter.count <= bytes.count {
      // Most bytes of a picture are no line end.
      if bytes[position] == delimiter[0], bytes[position...].starts(with: delimiter) { places.append(position) }
      position += 1
    }
    return places
  }

  /// A parameter of a header, in quotes or not.
  private static func parameter(_ name: String, of header: String) -> String? {
    for piece in header.split(separator: ";").dropFirst() {
      let pair = piece.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == name else { continue }
      return pair[1].hasPrefix("\"") ? String(pair[1].dropFirst().prefix { $0 != "\"" }) : String(pair[1])
    }
    return nil
  }
}
