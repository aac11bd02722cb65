import Support
import Testing

@testable import JSON
@testable import JSONRPC

@Suite("Cutting a stream into messages")
struct FrameParserTests {
  private static func encode(_ payload: [UInt8], _ framing: Framing, _ random: inout SplitMix64) -> [UInt8] {
    switch framing {
    case .lines:
      let blank = Bool.random(using: &random) ? "\n" : ""
      return Array(blank.utf8) + payload + Array((Bool.random(using: &random) ? "\r\n" : "\n").utf8)
    case .headers:
      let other = Bool.random(using: &random) ? "Content-Type: application/vscode-jsonrpc\r\n" : ""
      return Array("\(other)Content-Length: \(payload.count)\r\n\r\n".utf8) + payload
    }
  }

  /// What a reference that has the whole stream at once would say.
  private static func frames(_ stream: [ArraySlice<UInt8>], _ framing: FramingChoice, maximum: Int) -> [Frame] {
    var parser = FrameParser(framing, maximumMessageBytes: maximum)
    var frames: [Frame] = []
    for piece in stream {
      parser.append(piece)
      while let frame = parser.next() { frames.append(frame) }
    }
    if let frame = parser.finish() { frames.append(frame) }
    return frames
  }

  @Test(
    "the frame parser gives the same messages in whatever pieces they come", arguments: [Framing.lines, .headers],
    0..<60 as Range<UInt64>)
  func anyPieces(framing: Framing, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let payloads = (0..<20).map { index in
      Array(#"{"id":\#(index),"x":"\#(String(repeating: "é", count: Int.random(in: 0..<80, using: &random)))"}"#.utf8)
    }
    let maximum = 100
    let stream = payloads.reduce(into: [UInt8]()) { $0 += Self.encode($1, framing, &random) }
    let expected = payloads.enumerated().map { index, payload -> Frame in
      if payload.count <= maximum { return .message(payload[...]) }
      return .oversized(.init(id: .number(JSONNumber(index))), bytes: payload.count)
    }
    // The first header may be another than Content-Length.
    let choice: FramingChoice = framing == .lines ? .automatic : .fixed(.headers)
    #expect(Self.frames([stream[...]], choice, maximum: maximum) == expected, "seed \(seed), in one piece")
    #expect(Self.frames(stream.map { [$0][...] }, choice, maximum: maximum) == expected, "seed \(seed), byte by byte")
    let pieces = stream.split(using: &random, longest: 50)
    #expect(Self.frames(pieces, choice, maximum: maximum) == expected, "seed \(seed), in pieces")
  }

  @Test("the frame parser never fails on bytes that mean nothing, and always ends", arguments: 0..<200 as Range<UInt64>)
  func noise(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = [
      "Content-Length", ":", "5", "\r\n", "\n", "{", "}", "c", "C", "[", "content-length: 3\r\n\r\n{}\n", " ", "\0",
      "é",
    ]
    let stream = (0..<200).flatMap { _ in Array((words.randomElement(using: &random) ?? "").utf8) }
    for choice in [FramingChoice.automatic, .fixed(.lines), .fixed(.headers)] {
      let whole = Self.frames([stream[...]], choice, maximum: 50)
      let pieces = Self.frames(stream.split(using: &random), choice, maximum: 50)
      #expect(whole == pieces, "seed \(seed): the pieces made a difference")
    }
  }

  @Test(
    "the frame parser recognises the framing from the first byte that is not blank",
    arguments: [
      ("{}\n", Framing.lines), (" \r\n\t[]\n", .lines), ("\u{FEFF}{}\n", .lines),
      ("Content-Length: 2\r\n\r\n{}", .headers),
      ("c", .headers), ("\n\nC", .headers), ("x", .lines), ("", nil), ("  ", nil),
    ])
  func recognises(text: String, framing: Framing?) {
    var parser = FrameParser(.automatic, maximumMessageBytes: 100)
    parser.append(Array(text.utf8)[...])
    _ = parser.next()
    #expect(parser.framing == framing)
  }
}
