import CurlHTTP
import Crypto
import Encodings

/// A request in the one form that is signed. What is sent is made from it, so that it is the same.
struct CanonicalRequest: Sendable, Equatable {
  /// A name and a value of the query, before they are encoded.
  struct QueryItem: Sendable, Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String = "") { (self.name, self.value) = (name, value) }
  }

  /// What stands for the body in a request whose body is not signed.
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  /// The digest of no body.
  static let emptyPayload = payload([])

  var method: HTTPRequest.Method
  /// Absolute, before it is encoded. It is signed as it is: no segment is dropped or joined.
  var path: String
  var query: [QueryItem] = []
  /// All headers that are signed, `host` among them.
  var headers: [HTTPHeader]
  /// The SHA-256 of the body in hexadecimal, or ``unsignedPayload``.
  var payload: String

  static func payload(_ body: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: body)) }

  var encodedPath: String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encoded($0) }.joined(separator: "/")
  }

  /// Sorted by the encoded names, then values, byte by byte.
  var encodedQuery: String {
    query.map { (name: PercentEncoding.encoded($0.name), value: PercentEncoding.encoded($0.value)) }
      .sorted { Self.isBefore($0.name, $1.name) || ($0.name == $1.name && Self.isBefore($0.value, $1.value)) }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  var signedHeaders: String { sortedHeaders.map(\.name).joined(separator: ";") }

  var text: String {
    let lines = sortedHeaders.map { "\($0.name):\($0.value)\n" }.joined()
    return [method.rawValue, encodedPath, encodedQuery, lines, signedHeaders, payload].joined(separator: "\n")
  }

  /// Each name once, in lowercase; the values of those that come more than once are joined in their order.
  private var sortedHeaders: [(name: String, value: String)] {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for header in headers {
      let name = header.name.lowercased()
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(Self.trimmed(header.value))
    }
    return names.sorted(by: Self.isBefore).map { (name: $0, value: values[$0, default: []].joined(separator: ",")) }
  }

  /// Without blanks at its ends, and with one blank for several within.
  private static func trimmed(_ value: String) -> String {
    value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }

  private static func isBefore(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}
