import Foundation

/// What a client sent, byte for byte.
struct RawRequest: Sendable {
  var line: String
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  /// - Returns: nil when the head is not complete.
  init?(_ bytes: [UInt8]) {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= 4, let end = (0...bytes.count - 4).first(where: { bytes[$0..<$0 + 4].elementsEqual(mark) })
    else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    line = lines[0]
    headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    body = Array(bytes[(end + 4)...])
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }

  var contentLength: Int { header("content-length").flatMap { Int($0) } ?? 0 }

  /// The path and the query.
  var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
}
