import Support
import Testing

@testable import CurlHTTP

@Suite("The head of a response")
struct ResponseHeadTests {
  private static func head(_ lines: [String]) throws -> ResponseHead {
    var head = ResponseHead()
    for (index, line) in lines.enumerated() {
      #expect(try head.take(Array(line.utf8)) == (index == lines.count - 1 && head.isComplete))
    }
    return head
  }

  @Test("the head of a response is that of the last status line, with every field in order")
  func fields() throws {
    let head = try Self.head([
      "HTTP/1.1 100 Continue\r\n", "X: interim\r\n", "\r\n", "HTTP/2 404 \r\n", "A:1\r\n", "B:  two \t\r\n", "A: 3\n",
      "Empty:\r\n", "no colon\r\n", "Colons: a:b\r\n", "\r\n",
    ])
    #expect(head.status == 404)
    #expect(head.isComplete)
    #expect(
      head.headers == [
        HTTPHeader("A", "1"), HTTPHeader("B", "two"), HTTPHeader("A", "3"), HTTPHeader("Empty", ""),
        HTTPHeader("Colons", "a:b"),
      ])
  }

  @Test("the head of a response has not begun before the first line of the final response, whatever came before it")
  func begins() throws {
    var head = ResponseHead()
    let lines = [
      ("HTTP/1.1 103 Early Hints\r\n", true), ("Link: </a>\r\n", true), ("\r\n", false), ("HTTP/1.1 200 OK\r\n", true),
      ("A: 1\r\n", true), ("\r\n", true),
    ]
    #expect(!head.hasBegun)
    for (line, hasBegun) in lines {
      _ = try head.take(Array(line.utf8))
      #expect(head.hasBegun == hasBegun, "\(line)")
    }
  }

  @Test("the head of a response tells a stream of events by its type", arguments: [
    ("Content-Type: text/event-stream", true), ("content-type:Text/Event-Stream; charset=utf-8", true),
    ("Content-Type: application/json", false), ("X: text/event-stream", false),
  ])
  func events(line: String, isOfEvents: Bool) throws {
    #expect(try Self.head(["HTTP/1.1 200 OK\r\n", line + "\r\n", "\r\n"]).isOfEvents == isOfEvents)
  }

  @Test("the head of a response is not changed by trailers")
  func trailers() throws {
    var head = try Self.head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"])
    let before = head
    for line in ["B: 2\r\n", "\r\n", "HTTP/1.1 500 X\r\n"] { #expect(try !head.take(Array(line.utf8))) }
    #expect(head == before)
  }

  @Test("the head of a response knows the length of a body that is not compressed", arguments: [
    ("Content-Length: 12", 12), ("content-length:12", 12), ("Content-Length: -3", 0), ("Content-Length: x", nil),
    ("Content-Length: 99999999999999999999", nil), ("X: 12", nil),
  ] as [(String, Int?)])
  func contentLength(line: String, length: Int?) throws {
    #expect(try Self.head(["HTTP/1.1 200 OK\r\n", line + "\r\n", "\r\n"]).contentLength == length)
    #expect(try Self.head(["HTTP/1.1 200 OK", line, "Content-Encoding: gzip", ""]).contentLength == nil)
  }

  @Test("the head of a response is refused without a status", arguments: [
    "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2x0", "HTTP/1.1 020 X", "HTTP/2 99",
  ])
  func noStatus(line: String) {
    #expect(throws: ResponseHead.Refusal.notHTTP) { try Self.head([line]) }
  }

  @Test("the head of a response is read or refused, whatever its bytes", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var head = ResponseHead()
    let pieces = ["HTTP/1.1 ", "200", ":", " ", "\t", "\r\n", "\n", "\0", "é", "x", "Content-Length: "]
    for _ in 0..<200 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      _ = try? head.take(Array(line.joined().utf8))
      #expect(!head.isComplete || head.status >= 200, "seed \(seed)")
    }
  }
}
