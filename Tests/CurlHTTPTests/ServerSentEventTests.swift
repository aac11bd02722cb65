import CurlHTTP
import Support
import Testing

@Suite("An event stream")
struct ServerSentEventTests {
  private typealias Event = ServerSentEvent

  private static let examples: [(stream: String, events: [ServerSentEvent])] = [
    ("data: one\n\n", [Event(data: "one")]),
    ("data:one\r\ndata:  two\r\n\r\n", [Event(data: "one\n two")]),
    ("event: add\rdata: x\r\rdata: y\r\r", [Event(type: "add", data: "x"), Event(data: "y")]),
    ("data: mixed\r\rdata: ends\n\r\n", [Event(data: "mixed"), Event(data: "ends")]),
    (": a comment\n\ndata: after\n\n", [Event(data: "after")]),
    ("\u{FEFF}data: marked\n\n", [Event(data: "marked")]),
    ("data: \u{FEFF}kept\n\n", [Event(data: "\u{FEFF}kept")]),
    ("data\n\ndata\ndata\n\n", [Event(data: ""), Event(data: "\n")]),
    ("data: {\"a\":\"b: c\"}\n\n", [Event(data: #"{"a":"b: c"}"#)]),
    ("event: nothing\n\ndata: plain\n\n", [Event(data: "plain")]),
    ("id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
     [Event(data: "a", lastID: "7"), Event(data: "b", lastID: "7"), Event(data: "c")]),
    ("id: a\0b\ndata: x\n\n", [Event(data: "x")]),
    ("retry: 5\nunknown: field\nDATA: not\ndata: x\n\n", [Event(data: "x")]),
    ("data: 画像 🙂\n\n", [Event(data: "画像 🙂")]),
    ("\n\n\ndata: x\n\n\n\n", [Event(data: "x")]),
    ("data: whole\n\ndata: never ended", [Event(data: "whole")]),
    ("data: never ended\n", []),
    ("data: [DONE]\n\n", [Event(data: "[DONE]")]),
  ]

  @Test("an event stream that ends without an empty line has what stands there as its last event", arguments: [
    ("data: whole\n\n", nil), ("", nil), ("data: a\n\ndata: b", Event(data: "b")), ("data: a\n", Event(data: "a")),
    ("event: add\r\ndata: x\r", Event(type: "add", data: "x")),
    ("id: 7\ndata: a\ndata: b", Event(data: "a\nb", lastID: "7")),
    ("event: add\n", nil), (": bye", nil), ("\u{FEFF}data: marked", Event(data: "marked")), ("dat", nil),
  ] as [(String, ServerSentEvent?)])
  func end(stream: String, last: ServerSentEvent?) throws {
    let bytes = Array(stream.utf8)
    for split in 0...bytes.count {
      var parser = ServerSentEventParser(mostBytes: 1_000)
      _ = try parser.append(Array(bytes[..<split]))
      _ = try parser.append(Array(bytes[split...]))
      #expect(try parser.finish() == last)
      #expect(try parser.finish() == nil)
    }
  }

  @Test("an event stream means the same however it is cut", arguments: examples.indices)
  func cut(example: Int) throws {
    let (stream, expected) = Self.examples[example]
    let bytes = Array(stream.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = ServerSentEventParser(mostBytes: 1_000)
        var events = try parser.append(Array(bytes[..<first]))
        events += try parser.append(Array(bytes[first..<second]))
        events += try parser.append(Array(bytes[second...]))
        #expect(events == expected, "cut at \(first) and \(second)")
      }
    }
  }

  @Test(
    "an event stream of random lines reads the same in one piece, byte by byte and in random pieces",
    arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let words = ["data:", "data: ", "event: e", "id: 1", ":", "x", "é", "\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n"]
    let stream = Array((0..<200).map { _ in words.randomElement(using: &random) ?? "" }.joined().utf8)
    var whole = ServerSentEventParser(mostBytes: 100_000)
    let expected = try whole.append(stream)
    #expect(try Self.events(of: stream, pieces: { 1 }) == expected, "seed \(seed)")
    #expect(try Self.events(of: stream, pieces: { Int.random(in: 1...9, using: &random) }) == expected, "seed \(seed)")
  }

  @Test("an event stream is refused when an event grows beyond the cap, in one line or in many")
  func cap() throws {
    var parser = ServerSentEventParser(mostBytes: 100)
    #expect(throws: ServerSentEventParser.EventTooLarge(mostBytes: 100)) {
      for _ in 0..<100 { _ = try parser.append(Array("data: 0123456789".utf8)) }
    }
    parser = ServerSentEventParser(mostBytes: 100)
    #expect(throws: ServerSentEventParser.EventTooLarge(mostBytes: 100)) {
      for _ in 0..<100 { _ = try parser.append(Array("data: 0123456789\n".utf8)) }
    }
    parser = ServerSentEventParser(mostBytes: 100)
    for _ in 0..<1_000 { #expect(try parser.append(Array("data: 0123456789\n\n".utf8)).count == 1) }
  }

  @Test("an event stream carries a picture of several megabytes in one line")
  func large() throws {
    let text = String(repeating: "QUJD", count: 1_500_000)
    let stream = Array("event: image\ndata: \(text)\n\n".utf8)
    var step = 0
    let events = try Self.events(of: stream) {
      step += 1
      return 16_384 - step % 7
    }
    #expect(events == [Event(type: "image", data: text)])
  }

  private static func events(of stream: [UInt8], pieces: () -> Int) throws -> [ServerSentEvent] {
    var parser = ServerSentEventParser(mostBytes: 8_000_000)
    var events: [ServerSentEvent] = []
    var start = 0
    while start < stream.count {
      let end = min(stream.count, start + pieces())
      events += try parser.append(Array(stream[start..<end]))
      start = end
    }
    return events
  }
}
