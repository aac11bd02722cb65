/// A form with files, as clients send it (RFC 7578).
struct RawForm: Sendable {
  struct Field: Sendable {
    var name: String
    var fileName: String?
    var contentType: String?
    var bytes: [UInt8]
  }

  static let boundary = "----simulated-boundary-7MA4YWxkTrZu0gW"

  var fields: [Field]

  var contentType: String { "multipart/form-data; boundary=\(Self.boundary)" }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for field in fields {
      var head = "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(field.name)\""
      if let fileName = field.fileName { head += "; filename=\"\(fileName)\"" }
      if let contentType = field.contentType { head += "\r\nContent-Type: \(contentType)" }
      bytes += Array((head + "\r\n\r\n").utf8) + field.bytes + Array("\r\n".utf8)
    }
    return bytes + Array("--\(Self.boundary)--\r\n".utf8)
  }
}
