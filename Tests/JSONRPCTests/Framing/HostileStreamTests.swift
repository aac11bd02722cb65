import Foundation
import Support
import Testing

@testable import Encodings
@testable import JSON
@testable import JSONRPC

/// One stream and the answers it must get, in order.
struct HostileStream: CustomTestStringConvertible, Sendable {
  var name: String
  var messages: [[UInt8]]
  /// nil stands for the answer to a batch.
  var answers: [Answer?]
  var maximumMessageBytes = 1 << 20

  var testDescription: String { name }

  init(_ name: String, _ messages: [String], _ answers: [Answer], maximumMessageBytes: Int = 1 << 20) {
    self.name = name
    self.messages = messages.map { Array($0.utf8) }
    self.answers = answers
    self.maximumMessageBytes = maximumMessageBytes
  }

  static let last = #"{"jsonrpc":"2.0","id":"last","method":"ping"}"#

  static func ping(_ id: String, _ rest: String = "") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"ping"\#(rest)}"#
  }

  /// What depends on the limits of these tests, which are smaller than the service's. The other messages are in
  /// `protocol/streams`.
  static let atLimits: [HostileStream] = [
    .init(
      "a message of twice the size allowed, id first",
      [ping("7", #","params":{"x":"\#(String(repeating: "y", count: 400))"}"#)],
      [Answer(7, -32600)], maximumMessageBytes: 200),
    .init(
      "a message of twice the size allowed, id last",
      [
        #"{"jsonrpc":"2.0","params":{"id":3,"x":"\#(String(repeating: "\\\"id\\\":4,", count: 50))"},"method":"ping","id":"z"}"#
      ],
      [Answer("z", -32600)], maximumMessageBytes: 200),
    .init(
      "a batch of twice the size allowed", ["[" + Array(repeating: ping("1"), count: 10).joined(separator: ",") + "]"],
      [Answer(nil, -32600)], maximumMessageBytes: 200),
    .init("a message of exactly the size allowed", [ping("1").padded(to: 200)], [Answer(1)], maximumMessageBytes: 200),
    .init("a message one byte too long", [ping("1").padded(to: 201)], [Answer(1, -32600)], maximumMessageBytes: 200),
    .init("a batch too long", ["[" + String(repeating: "0,", count: 100) + "0]"], [Answer(nil, -32600)]),
    .init(
      "just as many values as allowed", [ping("1", #","params":{"x":[0\#(String(repeating: ",0", count: 9_993))]}"#)],
      [Answer(1)]),
    .init("one value too many", ["[" + String(repeating: "0,", count: 9_999) + "0]"], [Answer(nil, -32600)]),
  ]

  var framedMessages: [[UInt8]] { messages + [Array(Self.last.utf8)] }
}

extension HostileStream {
  static let ofMessages = ((try? read("messages")) ?? []) + atLimits
  static let ofLines = (try? read("lines")) ?? []
  static let ofHeaders = (try? read("headers")) ?? []

  /// The cases of a file in `protocol/streams`; the README there describes their form.
  private static func read(_ name: String) throws -> [HostileStream] {
    let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let text = try String(contentsOfFile: "\(tests)/../protocol/streams/\(name).jsonl", encoding: .utf8)
    return try text.split(separator: "\n").map { try HostileStream(reading: JSONValue(parsing: $0.utf8)) }
  }

  private init(reading value: JSONValue) throws {
    name = try #require(value["name"]?.string)
    if let input = value["input"] {
      messages = [try Self.bytes(input)]
    } else {
      messages = try #require(value["messages"]?.array).map(Self.bytes)
    }
    answers = try #require(value["answers"]?.array).map { answer in
      guard let id = answer[0], id.array == nil else { return nil }
      return Answer(id, answer[1]?.int64)
    }
  }

  private static func bytes(_ parts: JSONValue) throws -> [UInt8] {
    try (parts.array ?? [parts]).flatMap { part in
      if let text = part.string { return Array(text.utf8) }
      if let hexadecimal = part["bytes"]?.string { return try #require(Hexadecimal.bytes(hexadecimal)) }
      let times = try #require(part["times"]?.int64)
      return Array(String(repeating: try #require(part["repeat"]?.string), count: Int(times)).utf8)
    }
  }
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

  @Test("the hostile streams are there")
  func areThere() {
    #expect(HostileStream.ofMessages.count > HostileStream.atLimits.count)
    #expect(!HostileStream.ofLines.isEmpty && !HostileStream.ofHeaders.isEmpty)
  }

  @Test("hostile streams are answered and survived, one message a line", arguments: HostileStream.ofMessages)
  func lines(stream: HostileStream) async throws {
    let bytes = stream.framedMessages.flatMap { $0 + [ASCII.lineFeed] }
    // An empty first line and a first byte that says "lines" whatever the case starts with.
    let answers = try await answers(
      to: bytes, framing: .lines, choice: .fixed(.lines), maximumMessageBytes: stream.maximumMessageBytes, seed: 1)
    #expect(answers == stream.answers + [Answer("last")])
  }

  @Test("hostile streams are answered and survived, with headers", arguments: HostileStream.ofMessages)
  func headers(stream: HostileStream) async throws {
    let bytes = stream.framedMessages.flatMap { Array("Content-Length: \($0.count)\r\n\r\n".utf8) + $0 }
    let answers = try await answers(
      to: bytes, framing: .headers, maximumMessageBytes: stream.maximumMessageBytes, seed: 2)
    #expect(answers == stream.answers + [Answer("last")])
  }

  @Test("hostile streams of lines keep to the rules for lines", arguments: HostileStream.ofLines)
  func rulesForLines(stream: HostileStream) async throws {
    for seed in 0..<5 as Range<UInt64> {
      let answers = try await answers(to: stream.messages[0], framing: .lines, seed: seed)
      #expect(answers == stream.answers, "seed \(seed)")
    }
  }

  @Test("hostile streams of headers keep to the rules for headers", arguments: HostileStream.ofHeaders)
  func rulesForHeaders(stream: HostileStream) async throws {
    for seed in 0..<5 as Range<UInt64> {
      let answers = try await answers(to: stream.messages[0], framing: .headers, seed: seed)
      #expect(answers == stream.answers, "seed \(seed)")
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
