import AtelierProtocol

/// A form that carries files (`multipart/form-data`, RFC 7578), built in one piece.
struct MultipartForm {
  private let boundary: String
  private var parts: [UInt8] = []

  /// - Parameter random: generates a boundary of more than 120 random bits, which no content contains by chance and
  ///   nobody can predict.
  init(random: inout some RandomNumberGenerator) {
    let words: [UInt64] = [random.next(), random.next()]
    boundary = "atelier-" + words.map { String($0 | 1 << 63, radix: 36) }.joined()
  }

  /// The value of the request's `Content-Type` header.
  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// - Parameter name: a fixed name of this module; it is not escaped.
  mutating func add(_ name: String, text: String) {
    begin("name=\"\(name)\"")
    parts += text.utf8
    parts += "\r\n".utf8
  }

  /// - Parameters:
  ///   - name: like the file's name, a fixed name of this module; neither is escaped.
  ///   - mimeType: the media type of the content.
  mutating func add(_ name: String, file: [UInt8], named fileName: String, mimeType: String) {
    begin("name=\"\(name)\"; filename=\"\(fileName)\"", "Content-Type: \(mimeType)\r\n")
    parts.reserveCapacity(parts.count + file.count + 256)
    parts += file
    parts += "\r\n".utf8
  }

  private mutating func begin(_ disposition: String, _ more: String = "") {
    parts += "--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n\(more)\r\n".utf8
  }

  /// The complete body, with its last boundary.
  var body: [UInt8] { parts + "--\(boundary)--\r\n".utf8 }
}
