import AtelierProtocol
import CurlHTTP
import Encodings
import Foundation
import JSON
import Support
import Testing

@testable import Providers

@Suite("A stream of events from OpenAI's API")
struct OpenAIStreamTests {
  private func picture(_ name: String = "plain.png") throws -> String { Base64.encoded(try OpenAITest.photo(name)) }

  private func event(_ type: String, _ json: String, named: Bool = true, end: String = "\n") -> String {
    (named ? "event: \(type)\(end)" : "") + "data: \(json)\(end)\(end)"
  }

  private func stream(partials: Int = 2, kind: String = "image_generation", named: Bool = true, end: String = "\n")
    throws -> String
  {
    let partial = try picture("plain.webp")
    var text = ": hello\(end)\(end)"
    for index in 0..<partials {
      text += event(
        "\(kind).partial_image",
        #"{"type":"\#(kind).partial_image","b64_json":"\#(partial)","partial_image_index":\#(index)}"#, named: named,
        end: end)
    }
    return text
      + event(
        "\(kind).completed",
        #"{"type":"\#(kind).completed","b64_json":"\#(try picture())","size":"1024x1024","usage":{"output_tokens":9}}"#,
        named: named, end: end)
  }

  private func make(_ text: String, pieces: [Int] = [], partialImages: Int = 3) async throws -> (
    image: ProviderImage, told: [ImageProgress]
  ) {
    let answer = ScriptedServer.Answer(
      headers: [HTTPHeader("Content-Type", "text/event-stream")], body: Array(text.utf8), pieces: pieces)
    let provider = try OpenAITest.provider(ScriptedServer(answer), partialImages: partialImages)
    let record = ProgressRecord()
    let image = try await provider.makeImage(OpenAITest.request()) { record.note($0) }
    return (image, record.all)
  }

  @Test(
    "a stream of events gives the last picture, and its progress as unfinished ones come",
    arguments: ["\n", "\r\n"], [true, false])
  func whole(end: String, named: Bool) async throws {
    let text = try stream(partials: 3, named: named, end: end)
    let made = try await make(text, pieces: Array(repeating: 997, count: text.utf8.count / 997 + 1))
    #expect(made.image.bytes == (try OpenAITest.photo("plain.png")))
    #expect(made.image.usage.outputTokens == 9)
    let fractions = made.told.filter { $0.message == "Your picture is taking shape…" }.compactMap(\.fraction)
    #expect(fractions == [0.25, 0.5, 0.75])
    #expect(made.told.map(\.phase) == [.uploading, .uploading, .processing, .processing, .processing, .processing])
  }

  @Test("a stream of events is read the same wherever it is cut", arguments: 0..<40 as Range<UInt64>)
  func split(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let text = try stream(kind: "image_edit", named: seed.isMultiple(of: 2), end: ["\n", "\r\n", "\r"][Int(seed % 3)])
    var pieces: [Int] = []
    var left = text.utf8.count
    while left > 0, pieces.count < 5000 {
      let longest = [2, 40, 900][Int(random.next() % 3)]
      pieces.append(Int.random(in: 1...longest, using: &random))
      left -= pieces.last ?? left
    }
    let made = try await make(text, pieces: pieces)
    #expect(made.image.bytes == (try OpenAITest.photo("plain.png")), "seed \(seed)")
    // Two that came in one piece are told at once.
    #expect(made.told.last?.fraction == 0.5, "seed \(seed)")
  }

  @Test("a stream of events may name its events otherwise and end with [DONE], as servers of other models do")
  func chunks() async throws {
    let text =
      event("", #"{"object":"image.edit.chunk","data":[{"b64_json":"\#(try picture("plain.webp"))"}]}"#, named: false)
      + event("", #"{"object":"image.edit.chunk","data":[{"b64_json":"\#(try picture())"}]}"#, named: false)
      + "data: [DONE]\n\n"
    #expect(try await make(text).image.mimeType == "image/png")
  }

  @Test("a plain object is no stream, although one was asked for")
  func plainObject() async throws {
    let text = try OpenAITest.answer()
    #expect(try await make(text, pieces: [1, 1, 5, 100]).image.mimeType == "image/png")
    #expect(try await make(" \n" + text, pieces: [1]).image.mimeType == "image/png")
  }

  @Test("a stream of events that breaks off before the picture is no success")
  func incomplete() async throws {
    let whole = try stream()
    let onlyPartial = whole.components(separatedBy: "event: image_generation.completed")[0]
    for text in [String(whole.dropLast(3)), onlyPartial] {
      let error = try await #require(throws: AtelierError.self) { try await make(text) }
      #expect(error.kind == .providerError)
      #expect(error.details["mayHaveBeenCharged"] == true)
    }
  }

  @Test("a stream of events that ends with an error has that error")
  func failure() async throws {
    let blocked = #"{"type":"error","error":{"code":"moderation_blocked","message":"no"}}"#
    let error = try await #require(throws: AtelierError.self) { try await make(event("error", blocked)) }
    #expect(error.kind == .contentBlocked)
    let bare = event("error", #"{"type":"error","message":"The server had an error.","code":"server_error"}"#)
    #expect(try await #require(throws: AtelierError.self) { try await make(bare) }.kind == .providerError)
    let broken = event("image_generation.completed", "{")
    #expect(try await #require(throws: AtelierError.self) { try await make(broken) }.kind == .providerError)
    let empty = event("image_generation.completed", #"{"type":"image_generation.completed"}"#)
    #expect(try await #require(throws: AtelierError.self) { try await make(empty) }.kind == .noImageReturned)
  }

  @Test(
    "a stream of events that ends with an error may have been charged once it has shown an unfinished picture",
    arguments: [true, false])
  func failureAfterPartial(hasBegun: Bool) async throws {
    let begin = hasBegun ? try stream().components(separatedBy: "event: image_generation.completed")[0] : ""
    let busy = event("error", #"{"type":"error","error":{"code":503,"message":"busy"}}"#)
    let error = try await #require(throws: AtelierError.self) { try await make(begin + busy) }
    #expect(error.kind == .providerUnavailable && (error.details["mayHaveBeenCharged"] == true) == hasBegun)
  }

  // MARK: Pictures and errors beside each other

  @Test("a stream of events keeps a picture whatever its event says besides", arguments: [
    #""detail":"a warning""#, #""errors":["x"]"#, #""error":{"code":429,"message":"x"}"#,
    #""detail":[{"msg":"x"}],"error":"x""#,
  ], ["image_edit.completed", "error", ""])
  func pictureBesideError(members: String, type: String) async throws {
    let text = event(type, #"{"b64_json":"\#(try picture())",\#(members)}"#, named: !type.isEmpty)
    #expect(try await make(text).image.bytes == (try OpenAITest.photo("plain.png")))
    let nested = event(type, #"{"data":[{},{"b64_json":"\#(try picture())"}],\#(members)}"#, named: !type.isEmpty)
    #expect(try await make(nested).image.bytes == (try OpenAITest.photo("plain.png")))
  }

  @Test("a stream of events goes on after an event that tells its progress in a detail, with a type or without", arguments: [
    #"{"type":"image_generation.in_progress","detail":"step 3 of 20"}"#, #"{"detail":"step 3 of 20","progress":0.15}"#,
    #"{"type":"progress","detail":{"step":3},"errors":["slow"]}"#, #"{"object":"chunk","detail":["warming up"]}"#,
    #"{"type":"progress","error":null,"detail":""}"#,
  ])
  func progressWithDetail(json: String) async throws {
    let text = event("", json, named: false)
    #expect(try await make(text + stream()).image.mimeType == "image/png")
    let error = try await #require(throws: AtelierError.self) { try await make(text) }
    #expect(error.kind == .providerError)
  }

  @Test("a stream of events that ends with a detail and without a picture has that as its error", arguments: [
    #"{"detail":{"code":"moderation_blocked","message":"no"}}"#, #"[{"errors":[{"code":"moderation_blocked"}]}]"#,
    #"{"type":"image_generation.completed","detail":{"code":"moderation_blocked"}}"#,
    #"{"type":"image_generation.failed","code":"moderation_blocked","url":"https://help.example"}"#,
    #"{"data":[{"error":{"code":"moderation_blocked"}}]}"#,
  ])
  func endsWithDetail(json: String) async throws {
    for end in ["", "data: [DONE]\n\n"] {
      let error = try await #require(throws: AtelierError.self) { try await make(event("", json, named: false) + end) }
      #expect(error.kind == .contentBlocked)
    }
  }

  @Test("a stream of events keeps its finished picture whatever follows it", arguments: [
    "event: error\ndata: {\"error\":{\"code\":429}}\n\n", "data: {\n\n", "data: {\"detail\":\"x\"}\n\n",
    "event: image_generation.completed\ndata: {\"usage\":{}}\n\n",
  ])
  func afterPicture(rest: String) async throws {
    #expect(try await make(stream() + rest).image.bytes == (try OpenAITest.photo("plain.png")))
  }

  @Test("a stream of events keeps a picture that came before the event that counts its tokens")
  func countsAfterPicture() async throws {
    let text =
      event("", #"{"data":[{"b64_json":"\#(try picture())"}]}"#, named: false)
      + event("image_generation.completed", #"{"usage":{"output_tokens":9}}"#)
    let image = try await make(text).image
    #expect(image.bytes == (try OpenAITest.photo("plain.png")) && image.usage.outputTokens == 9)
  }

  @Test("a stream of events loses no finished picture with the connection", arguments: [true, false])
  func brokenConnection(isFinished: Bool) async throws {
    let whole = try stream()
    let text = isFinished ? whole : whole.components(separatedBy: "event: image_generation.completed")[0]
    let answer = ScriptedServer.Answer(
      body: Array(text.utf8), errorAfterBody: HTTPError(.reset, mayHaveBeenSent: true, detail: "x"))
    let provider = try OpenAITest.provider(ScriptedServer(answer))
    let image = try? await provider.makeImage(OpenAITest.request()) { _ in }
    #expect((image != nil) == isFinished)
  }

  @Test("a stream of events shows a preview as the picture under no name of its events", arguments: [
    ("chunk", #""type":"image_generation.partial_image","#), ("", #""type":"image.partial","#),
    ("message", #""type":"image_edit.partial_image","#), ("image", #""partial_image_index":0,"#),
    ("image_generation.completed", #""type":"image_generation.partial_image","#), ("image.preview", ""),
    ("", #""type":"chunk","partial_image_index":"1","#),
  ])
  func previews(name: String, members: String) async throws {
    let preview = event(name, "{\(members)\"b64_json\":\"\(try picture("plain.webp"))\"}", named: !name.isEmpty)
    for end in ["", "data: [DONE]\n\n"] {
      let error = try await #require(throws: AtelierError.self) { try await make(preview + end) }
      #expect(error.details["reason"] == "truncated" && error.details["mayHaveBeenCharged"] == true)
    }
    for finished in [
      event(name, #"{"type":"image_generation.completed","b64_json":"\#(try picture())"}"#, named: !name.isEmpty),
      event("image_edit.completed", #"{"b64_json":"\#(try picture())"}"#),
    ] {
      #expect(try await make(preview + finished + preview).image.bytes == (try OpenAITest.photo("plain.png")))
    }
    let plain = "{\(members)\"b64_json\":\"\(try picture("plain.webp"))\"}"
    if !members.isEmpty { await #expect(throws: AtelierError.self) { try await make(plain) } }
  }

  @Test("a stream of events that breaks off gives the picture that came whole, and no preview", arguments: [
    (#"{"data":[{"b64_json":"PICTURE"}]}"#, true),
    (#"{"object":"image.edit.chunk","data":[{"b64_json":"PICTURE"}]}"#, false),
    (#"{"type":"image_generation.completed","b64_json":"PICTURE"}"#, true),
    (#"{"type":"x.partial","b64_json":"PICTURE"}"#, false),
  ])
  func brokenOff(json: String, isKept: Bool) async throws {
    let body = "data: " + json.replacing("PICTURE", with: try picture())
    for end in ["", "\n", "\n\n"] {
      let answer = ScriptedServer.Answer(
        body: Array((body + end).utf8), errorAfterBody: HTTPError(.truncated, mayHaveBeenSent: true, detail: "x"))
      let provider = try OpenAITest.provider(ScriptedServer(answer))
      let image = try? await provider.makeImage(OpenAITest.request()) { _ in }
      #expect((image != nil) == isKept)
    }
  }

  @Test("a stream of events that grows beyond all measure is given up")
  func tooLarge() throws {
    var reader = OpenAIAnswerReader(mostBytes: 1000)
    #expect(throws: OpenAIAnswerReader.Problem.tooLarge) {
      try reader.append(Array("data: \(String(repeating: "a", count: 2000))".utf8))
    }
    var object = OpenAIAnswerReader(mostBytes: 1000)
    try object.append(Array("{".utf8))
    #expect(throws: OpenAIAnswerReader.Problem.tooLarge) { try object.append(Array(repeating: 0x20, count: 1000)) }
  }

  @Test("a stream of events that begins with blanks is read at once, however many they are")
  func blanks() throws {
    var reader = OpenAIAnswerReader(mostBytes: 1000)
    for _ in 0..<10_000 { try reader.append([UInt8](repeating: 0x20, count: 10_000)) }
    try reader.append(Array(#"{"data":[]}"#.utf8))
    #expect(try reader.finish().picture == nil)
  }

  @Test("an answer is believed neither a name of a model that is none nor a count that no picture takes")
  func incredible() throws {
    func answer(_ model: String, _ tokens: Int) throws -> OpenAIAnswer {
      let body: JSONValue = ["model": .string(model), "usage": ["output_tokens": .number(JSONNumber(tokens))]]
      return OpenAIAnswer(try #require(AnswerBody(body.serialized(), maximumValues: 100)))
    }
    #expect(try answer("gpt-image-2", 5).model == "gpt-image-2" && answer("gpt-image-2", 5).outputTokens == 5)
    for model in ["", "two words", "\u{e9}", String(repeating: "x", count: 201)] {
      #expect(try answer(model, 0).model == nil)
    }
    #expect(try answer("gpt-image-2", 10_000_001).outputTokens == 0)
  }

  // MARK: What a server does not take

  @Test(
    "a stream of events is not asked for again of a server that does not take it",
    arguments: [
      #"{"detail":"Streaming is only supported for multi-stage models."}"#,
      #"{"error":{"message":"Unknown parameter: 'stream'.","param":"stream","code":"unknown_parameter"}}"#,
      #"{"detail":[{"loc":["body","stream"],"msg":"Extra inputs are not permitted","type":"extra_forbidden"}]}"#,
    ])
  func refused(body: String) async throws {
    let server = ScriptedServer(
      .json(body, status: body.contains("Extra") ? 422 : 400), .json(try OpenAITest.answer()))
    let provider = try OpenAITest.provider(server, base: OpenAITest.local, partialImages: 2)
    let record = ProgressRecord()
    _ = try await provider.makeImage(OpenAITest.request()) { record.note($0) }
    _ = try await provider.makeImage(OpenAITest.request()) { _ in }
    let streams = try server.requests.value.map { try JSONValue(parsing: try #require($0.body))["stream"] }
    #expect(streams == [true, nil, nil])
    #expect(record.all.map(\.phase) == [.uploading, .uploading, .processing])
  }

  @Test("refused fields are left out one by one, the stream too, and what is refused then is told")
  func severalRefused() async throws {
    func unknown(_ name: String) -> ScriptedServer.Answer {
      .json(#"{"error":{"message":"Unknown parameter: '\#(name)'.","param":"\#(name)"}}"#, status: 400)
    }
    let server = ScriptedServer(
      unknown("partial_images"), unknown("response_format"), unknown("stream"), unknown("stream"))
    let provider = try OpenAITest.provider(server, base: OpenAITest.local, model: "flux", partialImages: 2)
    let error = try await #require(throws: AtelierError.self) {
      try await provider.makeImage(OpenAITest.request()) { _ in }
    }
    #expect(error.kind == .wrongRecipeInput)
    #expect(server.requests.value.count == 4)
    #expect(try JSONValue(parsing: try #require(server.requests.value[3].body)).object?.keys == ["model", "prompt"])
  }
}
