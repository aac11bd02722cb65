import Support
import Testing

@testable import Encodings
@testable import JSON
@testable import JSONRPC

/// One stream and the answers it must get, in order; an `echo` with id "last" follows each and must be answered too.
struct HostileStream: CustomTestStringConvertible, Sendable {
  var name: String
  var messages: [[UInt8]]
  var answers: [Answer]
  var maximumMessageBytes = 1 << 20

  var testDescription: String { name }

  init(_ name: String, _ messages: [String], _ answers: [Answer], maximumMessageBytes: Int = 1 << 20) {
    self.init(name, bytes: messages.map { Array($0.utf8) }, answers, maximumMessageBytes: maximumMessageBytes)
  }

  init(_ name: String, bytes: [[UInt8]], _ answers: [Answer], maximumMessageBytes: Int = 1 << 20) {
    self.name = name
    self.messages = bytes
    self.answers = answers
    self.maximumMessageBytes = maximumMessageBytes
  }

  static let last = #"{"jsonrpc":"2.0","id":"last","method":"echo"}"#

  static func echo(_ id: String, _ rest: String = "") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"echo"\#(rest)}"#
  }

  static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  /// The same under both framings.
  static let ofMessages: [HostileStream] = [
    .init(
      "a message of twice the size allowed, id first",
      [echo("7", #","params":{"x":"\#(String(repeating: "y", count: 400))"}"#)],
      [Answer(7, -32600)], maximumMessageBytes: 200),
    .init(
      "a message of twice the size allowed, id last",
      [
        #"{"jsonrpc":"2.0","params":{"id":3,"x":"\#(String(repeating: "\\\"id\\\":4,", count: 50))"},"method":"echo","id":"z"}"#
      ],
      [Answer("z", -32600)], maximumMessageBytes: 200),
    .init(
      "a batch of twice the size allowed", ["[" + Array(repeating: echo("1"), count: 10).joined(separator: ",") + "]"],
      [Answer(nil, -32600)], maximumMessageBytes: 200),
    .init("a message of exactly the size allowed", [echo("1").padded(to: 200)], [Answer(1)], maximumMessageBytes: 200),
    .init("a message one byte too long", [echo("1").padded(to: 201)], [Answer(1, -32600)], maximumMessageBytes: 200),
    .init("nesting just as deep as allowed", [echo("1", #","params":{"x":\#(nested(126))}"#)], [Answer(1)]),
    .init("nesting one level too deep", [echo("1", #","params":{"x":\#(nested(127))}"#)], [Answer(1, -32600)]),
    .init("nesting of a hundred thousand levels", [nested(100_000)], [Answer(nil, -32600)]),
    .init(
      "an unclosed array of a hundred thousand levels", [String(repeating: "[", count: 100_000)], [Answer(nil, -32600)]),
    .init(
      "nesting far too deep, before the id",
      [#"{"x":\#(String(repeating: #"{"id":"#, count: 500))1\#(String(repeating: "}", count: 500)),"id":9}"#],
      [Answer(9, -32600)]),
    .init(
      "bytes that are not UTF-8",
      bytes: [Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8)],
      [Answer(nil, -32700)]),
    .init(
      "an overlong UTF-8 sequence",
      bytes: [Array(#"{"jsonrpc":"2.0","id":""#.utf8) + [0xC0, 0xAF] + Array(#"","method":"echo"}"#.utf8)],
      [Answer(nil, -32700)]),
    .init(
      "a surrogate written as UTF-8", bytes: [Array(#"[""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""]"#.utf8)],
      [Answer(nil, -32700)]),
    .init("NUL bytes", bytes: [[0, 0, 0, 0]], [Answer(nil, -32700)]),
    .init("a NUL inside a string", bytes: [Array(#"{"id":"a"#.utf8) + [0] + Array(#""}"#.utf8)], [Answer(nil, -32700)]),
    .init("an escaped NUL in an id", [echo(#""a\u0000b""#)], [Answer("a\u{0}b")]),
    .init("JSON cut short", [#"{"jsonrpc":"2.0","id":1,"method":"#], [Answer(nil, -32700)]),
    .init("two values in one message", [echo("1") + echo("2")], [Answer(nil, -32700)]),
    .init("a trailing comma", [#"{"jsonrpc":"2.0","id":1,"method":"echo",}"#], [Answer(nil, -32700)]),
    .init("scalars as messages", ["1", "true", "null", #""x""#], Array(repeating: Answer(nil, -32600), count: 4)),
    .init("a batch too long", ["[" + String(repeating: "0,", count: 100) + "0]"], [Answer(nil, -32600)]),
    .init("an empty batch", ["[]"], [Answer(nil, -32600)]),
    .init(
      "ids of every kind",
      [
        echo("1e400"), echo(#""""#), echo("123456789012345678901234567890"), echo("1.0"), echo("-0"),
        echo(#""\u00e9""#),
      ],
      [
        Answer(.number(JSONNumber(text: "1e400")!)), Answer(""),
        Answer(.number(JSONNumber(text: "123456789012345678901234567890")!)),
        Answer(.number(JSONNumber(text: "1.0")!)), Answer(.number(JSONNumber(text: "-0")!)), Answer("é"),
      ]),
    .init(
      "ids that are none", [echo("null"), echo("true"), echo("[1]"), echo("{}")],
      Array(repeating: Answer(nil, -32600), count: 4)),
    .init(
      "params by position",
      [
        echo("1", #","params":[1]"#), echo("2", #","params":[]"#), echo("3", #","params":null"#),
        echo("4", #","params":{}"#),
      ],
      [Answer(1, -32602), Answer(2), Answer(3), Answer(4)]),
    .init(
      "params that are none",
      [echo("1", #","params":5"#), echo("2", #","params":"x""#), echo("3", #","params":false"#)],
      [Answer(1, -32600), Answer(2, -32600), Answer(3, -32600)]),
    .init(
      "a version that is none",
      [
        #"{"id":1,"method":"echo"}"#, #"{"jsonrpc":"1.0","id":2,"method":"echo"}"#,
        #"{"jsonrpc":2.0,"id":3,"method":"echo"}"#,
      ],
      [Answer(1, -32600), Answer(2, -32600), Answer(3, -32600)]),
    .init(
      "methods that are none",
      [
        #"{"jsonrpc":"2.0","id":1,"method":1}"#, #"{"jsonrpc":"2.0","id":2}"#,
        #"{"jsonrpc":"2.0","id":3,"method":null}"#,
      ],
      [Answer(1, -32600), Answer(2, -32600), Answer(3, -32600)]),
    .init(
      "unknown methods",
      [
        #"{"jsonrpc":"2.0","id":1,"method":"nope"}"#, #"{"jsonrpc":"2.0","id":2,"method":"$/nope"}"#,
        #"{"jsonrpc":"2.0","id":3,"method":""}"#,
      ],
      [Answer(1, -32601), Answer(2, -32601), Answer(3, -32601)]),
    .init(
      "unknown notifications and cancels of nothing",
      [
        #"{"jsonrpc":"2.0","method":"nope"}"#, #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#,
        #"{"jsonrpc":"2.0","method":"nope","params":[1]}"#,
      ], []),
    .init(
      "responses to nothing",
      [
        #"{"jsonrpc":"2.0","id":1,"result":1}"#, #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":7}"#, #"{"jsonrpc":"2.0","id":{},"result":7}"#,
      ], []),
    .init("a member named twice", [#"{"jsonrpc":"2.0","id":1,"id":2,"method":"nope","method":"echo"}"#], [Answer(2)]),
    .init(
      "just as many values as allowed", [echo("1", #","params":{"x":[0\#(String(repeating: ",0", count: 9_993))]}"#)],
      [Answer(1)]),
    .init("one value too many", ["[" + String(repeating: "0,", count: 9_999) + "0]"], [Answer(nil, -32600)]),
  ]

  var framedMessages: [[UInt8]] { messages + [Array(Self.last.utf8)] }
}

extension String {
  fileprivate func padded(to count: Int) -> String { self + String(repeating: " ", count: count - utf8.count) }
}

@Suite("Hostile streams")
struct HostileStreamTests {
  private func answers(
    to bytes: [UInt8], framing: Framing, choice: FramingChoice = .automatic, maximumMessageBytes: Int = 1 << 20,
    seed: UInt64
  ) async throws -> [Answer?] {
    var random = SplitMix64(seed: seed)
    var limits = ConnectionLimits()
    limits.maximumMessageBytes = maximumMessageBytes
    limits.maximumValues = 10_000
    limits.maximumBatchCount = 100
    let session = try TestSession(framing: choice, peerFraming: framing, limits: limits)
    for piece in bytes.split(using: &random, longest: bytes.count > 10_000 ? 100_000 : 40) {
      try session.peer.send(Array(piece))
    }
    session.peer.closeInput()
    let messages = await session.peer.rest()
    #expect(await session.end() == .inputEnded(hasReader: true))
    return messages.map { Answer(reading: $0) }
  }

  @Test("are answered and survived, one message a line", arguments: HostileStream.ofMessages)
  func lines(stream: HostileStream) async throws {
    let bytes = stream.framedMessages.flatMap { $0 + [ASCII.lineFeed] }
    // An empty first line and a first byte that says "lines" whatever the case starts with.
    let answers = try await answers(
      to: bytes, framing: .lines, choice: .fixed(.lines), maximumMessageBytes: stream.maximumMessageBytes, seed: 1)
    #expect(answers == stream.answers + [Answer("last")])
  }

  @Test("are answered and survived, with headers", arguments: HostileStream.ofMessages)
  func headers(stream: HostileStream) async throws {
    let bytes = stream.framedMessages.flatMap { Array("Content-Length: \($0.count)\r\n\r\n".utf8) + $0 }
    let answers = try await answers(
      to: bytes, framing: .headers, maximumMessageBytes: stream.maximumMessageBytes, seed: 2)
    #expect(answers == stream.answers + [Answer("last")])
  }

  private static let one = HostileStream.echo("1")
  private static let last = HostileStream.last

  @Test(
    "of lines keep to the rules for lines",
    arguments: [
      ("CRLF and LF mixed", "\(one)\r\n\(last)\n", [Answer(1), Answer("last")]),
      ("blank lines", "\n\r\n  \n\t\r\n\(one)\n\n\n \(last)\n\n", [Answer(1), Answer("last")]),
      ("a byte order mark", "\u{FEFF}\(one)\n\(last)\n", [Answer(1), Answer("last")]),
      ("a byte order mark and blanks", "\u{FEFF} \r\n\(one)\n\(last)\n", [Answer(1), Answer("last")]),
      ("a last line without newline", "\(one)\n\(last)", [Answer(1), Answer("last")]),
      ("a last line cut short", "\(one)\n\(last.dropLast())", [Answer(1), Answer(nil, -32700)]),
      ("a carriage return alone", "\(one)\r\(last)\n", [Answer(nil, -32700)]),
      ("garbage first", "hello\n\(one)\n\(last)\n", [Answer(nil, -32700), Answer(1), Answer("last")]),
      ("garbage between", "\(one)\n}}}}\n\(last)\n", [Answer(1), Answer(nil, -32700), Answer("last")]),
      (
        "headers among lines", "\(one)\nContent-Length: 5\n\(last)\n", [Answer(1), Answer(nil, -32700), Answer("last")]
      ),
      ("a batch first", "[\(one)]\n\(last)\n", [nil, Answer("last")]),
      ("nothing", "", []),
      ("only blanks", "\n \n", []),
      ("only a byte order mark", "\u{FEFF}", []),
    ] as [(String, String, [Answer?])])
  func rulesForLines(name: String, input: String, expected: [Answer?]) async throws {
    for seed in 0..<5 as Range<UInt64> {
      let answers = try await answers(to: Array(input.utf8), framing: .lines, seed: seed)
      #expect(answers == expected, "seed \(seed)")
    }
  }

  private static func framed(_ message: String, _ extra: String = "") -> String {
    "Content-Length: \(message.utf8.count)\r\n\(extra)\r\n\(message)"
  }

  @Test(
    "of headers keep to the rules for headers",
    arguments: [
      (
        "names in any case", "content-LENGTH:\(one.utf8.count)\r\n\r\n\(one)\(framed(last))",
        [Answer(1), Answer("last")]
      ),
      (
        "LF instead of CRLF", "Content-Length: \(one.utf8.count)\n\n\(one)\(framed(last))", [Answer(1), Answer("last")]
      ),
      (
        "LF and CRLF mixed", "Content-Length: \(one.utf8.count)\nX-Other: y\r\n\n\(one)\(framed(last))",
        [Answer(1), Answer("last")]
      ),
      ("a byte order mark", "\u{FEFF}\(framed(last))", [Answer("last")]),
      ("blank lines between", "\r\n\n\(framed(one))\r\n\r\n\(framed(last))\n", [Answer(1), Answer("last")]),
      (
        "other headers",
        framed(one, "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n")
          + framed(last, "Content-Type: x; charset=\"UTF8\"\r\n"),
        [Answer(1), Answer("last")]
      ),
      (
        "another charset", framed(one, "Content-Type: x; charset=utf-16\r\n") + framed(last),
        [Answer(nil, -32700), Answer("last")]
      ),
      (
        "the same length twice", framed(one, "content-length: \(one.utf8.count)\r\n") + framed(last),
        [Answer(1), Answer("last")]
      ),
      (
        "two different lengths", framed(one, "Content-Length: 7\r\n") + framed(last),
        [Answer(nil, -32700), Answer("last")]
      ),
      ("a negative length", "Content-Length: -5\r\n\r\n\(one)\(framed(last))", [Answer(nil, -32700), Answer("last")]),
      (
        "a length that is no number", "Content-Length: many\r\n\r\n\(one)\(framed(last))",
        [Answer(nil, -32700), Answer("last")]
      ),
      ("an empty length", "Content-Length:\r\n\r\n\(one)\(framed(last))", [Answer(nil, -32700), Answer("last")]),
      (
        "a length beyond all numbers", "Content-Length: 99999999999999999999\r\n\r\n\(one)\(framed(last))",
        [Answer(nil, -32700), Answer("last")]
      ),
      (
        "a length of petabytes", "Content-Length: 9999999999999999\r\n\r\n\(one)\(framed(last))",
        [Answer(nil, -32700), Answer("last")]
      ),
      ("no length", "Content-Type: x\r\n\r\n\(one)\(framed(last))", [Answer(nil, -32700), Answer("last")]),
      ("a length of nothing", "Content-Length: 0\r\n\r\n\(framed(last))", [Answer(nil, -32700), Answer("last")]),
      (
        "a length too short", "Content-Length: 10\r\n\r\n\(one)\(framed(last))",
        [Answer(nil, -32700), Answer(nil, -32700), Answer("last")]
      ),
      (
        "garbage between messages", "\(framed(one))garbage\r\n\(framed(last))",
        [Answer(1), Answer(nil, -32700), Answer("last")]
      ),
      (
        "garbage right before a header", "\(framed(one))garbage\(framed(last))",
        [Answer(1), Answer(nil, -32700), Answer("last")]
      ),
      (
        "a line among headers", "\(framed(one))\(one)\n\(framed(last))",
        [Answer(1), Answer(nil, -32700), Answer("last")]
      ),
      (
        "headers without end", "\(framed(one))X: \(String(repeating: "y", count: 20_000))\r\n\r\n\(framed(last))",
        [Answer(1), Answer(nil, -32700), Answer("last")]
      ),
      ("half a header at the end", "\(framed(last))Content-Le", [Answer("last"), Answer(nil, -32700)]),
      (
        "half a message at the end", "\(framed(last))Content-Length: 100\r\n\r\n{",
        [Answer("last"), Answer(nil, -32700)]
      ),
      (
        "one header begun again and again",
        String(repeating: "Content-Length: ", count: 2000) + "\r\n\r\n" + framed(last),
        Array(repeating: Answer(nil, -32700), count: 4) + [Answer("last")]
      ),
      ("cats", "cats\r\n\(framed(last))", [Answer(nil, -32700), Answer("last")]),
    ] as [(String, String, [Answer?])])
  func rulesForHeaders(name: String, input: String, expected: [Answer?]) async throws {
    for seed in 0..<5 as Range<UInt64> {
      let answers = try await answers(to: Array(input.utf8), framing: .headers, seed: seed)
      #expect(answers == expected, "seed \(seed)")
    }
  }

  @Test("a message too long passes by in bounded memory")
  func boundedMemory() throws {
    var frames = FrameParser(.fixed(.lines), maximumMessageBytes: 1000)
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 500)
    frames.append(Array(#"{"id":5,"x":""#.utf8)[...])
    for _ in 0..<10_000 {
      frames.append(piece[...])
      #expect(frames.next() == nil)
      #expect(frames.bytesHeld <= 1501)
    }
    frames.append(Array("\"}\n{}\n".utf8)[...])
    guard case .oversized(let envelope, let bytes)? = frames.next() else {
      Issue.record("The message was not refused")
      return
    }
    #expect(envelope.id == 5)
    #expect(bytes == 5_000_015)
    #expect(frames.next() == .message(Array("{}".utf8)[...]))
  }
}
