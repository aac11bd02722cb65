import JSON

/// An HTTP response as it came over a ``RawConnection``.
struct RawResponse: Sendable {
  struct Incomplete: Error {
    var bytes: [UInt8]
  }

  var status = 0
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }

  func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  var json: JSONValue { get throws { try JSONValue(parsing: body) } }

  /// The values of the `data:` lines of a stream of events.
  var events: [String] {
    text.split(separator: "\n\n").map { event in
      event.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }
        .joined(separator: "\n")
    }.filter { !$0.isEmpty }
  }
}

extension RawConnection {
  /// Reads one response, interim ones aside.
  /// - Throws: ``RawResponse/Incomplete`` when the connection ends before it does.
  func response() async throws -> RawResponse {
    var reader = RawReader(connection: self)
    while true {
      let response = try await reader.response()
      if response.status >= 200 {
        putBack(reader.bytes)
        return response
      }
    }
  }

  /// Sends a request and reads the response.
  func exchange(_ request: RawRequest) async throws -> RawResponse {
    try await send(request.bytes)
    return try await response()
  }
}

/// Takes responses off a connection.
private struct RawReader {
  let connection: RawConnection
  var bytes: [UInt8] = []

  private mutating func more() async throws {
    let next = try await connection.receive()
    guard !next.isEmpty else { throw RawResponse.Incomplete(bytes: bytes) }
    bytes += next
  }

  private mutating func take(_ count: Int) async throws -> [UInt8] {
    while bytes.count < count { try await more() }
    defer { bytes.removeFirst(count) }
    return Array(bytes.prefix(count))
  }

  private mutating func line() async throws -> String {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = try await take(end + 1)
        return String(decoding: line.dropLast(2), as: UTF8.self)
      }
      try await more()
    }
  }

  mutating func response() async throws -> RawResponse {
    var response = RawResponse()
    let status = try await line().split(separator: " ")
    response.status = status.count > 1 ? Int(status[1]) ?? 0 : 0
    while case let line = try await line(), !line.isEmpty {
      let pair = line.split(separator: ":", maxSplits: 1)
      response.headers.append((String(pair[0]), pair.count > 1 ? String(pair[1].drop { $0 == " " }) : ""))
    }
    guard response.status >= 200 else { return response }
    if response.header("Transfer-Encoding") == "chunked" {
      while case let count = Int(try await line(), radix: 16) ?? 0, count > 0 {
        response.body += try await take(count + 2).dropLast(2)
      }
      _ = try await line()
    } else if let length = response.header("Content-Length").flatMap({ Int($0) }) {
      response.body = try await take(length)
    } else {
      response.body = bytes + (try await connection.receiveToEnd())
      bytes = []
    }
    return response
  }
}
