import AtelierProtocol
import CurlHTTP
import GeminiSimulator
import JSON
import Support
import Synchronization
import Testing

@testable import Providers

@Suite("A picture by Gemini")
struct GeminiNetworkTests {
  /// A photo of about that many bytes: segments of comments before its pixels.
  private func photo(bytes: Int) throws -> [UInt8] {
    let jpeg = try GeminiTest.photo()
    let segment: [UInt8] = [0xff, 0xfe, 0xff, 0xff] + [UInt8](repeating: 0x20, count: 65_533)
    return Array(jpeg.prefix(2)) + (0..<bytes / segment.count).flatMap { _ in segment } + jpeg.dropFirst(2)
  }

  @Test("a picture by Gemini is made of the words, the photo and the references, as they were given")
  func whole() async throws {
    try await withSimulator { simulator in
      let provider = try GeminiNetwork.provider(simulator)
      let pictures = try ["plain.jpg", "plain.png", "plain.webp"].map(GeminiTest.photo)
      let request = GeminiTest.request(
        .edit, photo: pictures[0], references: Array(pictures[1...]), prompt: "灯台 🗼", temperature: 0.25, seed: 7,
        aspectRatio: "16:9", size: "2k")
      let image = try await provider.makeImage(request) { _ in }
      #expect(PictureMarker(in: image.bytes) == PictureMarker(prompt: "灯台 🗼", request: 1))
      #expect(image.mimeType == "image/png")
      #expect(image.warnings == [])
      #expect(image.text == "Here is your picture.")
      #expect(image.model == "gemini-nano-banana-2.1")
      #expect(image.usage.inputTokens > 3 * 258)
      #expect(image.usage.outputTokens > 1680)
      #expect(try #require(image.usage.costUsd) > 1680 * 30 / 1e6)
      let record = try #require(simulator.requests.first)
      #expect(record.facts?.images.map(\.mimeType) == ["image/jpeg", "image/png", "image/webp"])
      #expect(record.facts?.images.map(\.bytes) == pictures.map(\.count))
      #expect(record.facts?.json["generationConfig"]?["imageConfig"] == ["aspectRatio": "16:9", "imageSize": "2K"])
      #expect(record.path == "/v1beta/models/gemini-nano-banana-2.1:generateContent")
      #expect(record.header("x-server-timeout") == "60")
      #expect(record.header("user-agent") == "atelier/\(Version.current)")
    }
  }

  @Test("a picture by Gemini brings a turn that the API takes back", arguments: [
    nil, Fault.answer(.jpeg), .answer(.hugeSignature), .answer(.thoughtImage), .answer(.noSignatures),
  ])
  func turn(fault: Fault?) async throws {
    try await withSimulator { simulator in
      if let fault { simulator.enqueue(fault) }
      let provider = try GeminiNetwork.provider(simulator, model: "gemini-3-pro-image")
      let image = try await provider.makeImage(GeminiTest.request()) { _ in }
      let content = try #require(image.turn?.restored(pictures: [image.bytes]))
      let body: JSONValue = [
        "contents": [
          ["role": "user", "parts": [["text": "a lighthouse"]]], content,
          ["role": "user", "parts": [["text": "at night"]]],
        ]
      ]
      let call = HTTPRequest(
        .post, provider.settings.url("models/gemini-3-pro-image:generateContent"),
        headers: provider.headers(try GeminiTest.apiKey()) + [HTTPHeader("Content-Type", "application/json")],
        body: body.serialized())
      let response = try await GeminiNetwork.client.perform(call)
      #expect(response.status == (fault == .answer(.noSignatures) ? 400 : 200))
    }
  }

  @Test("a picture by Gemini is told of as it is sent: rising fractions, then that it is being made, once")
  func progress() async throws {
    try await withSimulator { simulator in
      let told = Mutex<[ImageProgress]>([])
      let photo = try photo(bytes: 20_000_000)
      let provider = try GeminiNetwork.provider(simulator)
      _ = try await provider.makeImage(GeminiTest.request(.edit, photo: photo)) { progress in
        told.withLock { $0.append(progress) }
      }
      let all = told.withLock { $0 }
      let fractions = all.filter { $0.phase == .uploading }.compactMap(\.fraction)
      #expect(fractions.count > 2)
      #expect(fractions == fractions.sorted())
      #expect(fractions.last == 1)
      #expect(fractions.contains { $0 > 0 && $0 < 1 })
      #expect(all.last?.phase == .processing)
      #expect(all.filter { $0.phase == .processing }.count == 1)
    }
  }

  @Test("a picture by Gemini is given up in any phase, and the connection with it", arguments: [
    (TransportFault.stallDuringUpload, RequestRecord.State.receiving), (.stallBeforeHead, .received),
    (.stallAfterHead, .answering), (.stallMidBody, .answering),
  ])
  func cancel(fault: TransportFault, state: RequestRecord.State) async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.transport(fault))
      let provider = try GeminiNetwork.provider(simulator)
      let photo = try photo(bytes: fault == .stallDuringUpload ? 40_000_000 : 1_000_000)
      let work = Task { try await provider.makeImage(GeminiTest.request(.edit, photo: photo)) { _ in } }
      try await simulator.waitForRequest(1, reaching: state)
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }
      if fault != .stallDuringUpload { try await simulator.waitForClose(of: 1) }
      #expect(simulator.requests.count == 1)
    }
  }

  @Test("a picture by Gemini is not begun by a task that is cancelled already")
  func cancelledBefore() async throws {
    try await withSimulator { simulator in
      let provider = try GeminiNetwork.provider(simulator)
      let work = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await provider.makeImage(GeminiTest.request()) { _ in }
      }
      await #expect(throws: CancellationError.self) { try await work.value }
      #expect(simulator.requests.isEmpty)
    }
  }

  @Test("a picture by Gemini is never another's, however many are made at once")
  func many() async throws {
    try await withSimulator { simulator in
      let provider = try GeminiNetwork.provider(simulator)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let prompt = "picture number \(number)"
            let image = try await provider.makeImage(GeminiTest.request(prompt: prompt)) { _ in }
            #expect(PictureMarker(in: image.bytes)?.prompt == PictureMarker.fingerprint(of: prompt))
          }
        }
        try await group.waitForAll()
      }
      #expect(simulator.requests.count == 200)
    }
  }

  @Test("a picture by Gemini takes no longer than it may")
  func timeout() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.transport(.stallBeforeHead))
      let provider = try GeminiNetwork.provider(simulator)
      let error = await #expect(throws: AtelierError.self) {
        try await provider.makeImage(GeminiTest.request(timeoutMs: 300)) { _ in }
      }
      #expect(error?.kind == .providerTimeout)
      #expect(error?.details == ["reason": "timeout", "mayHaveBeenCharged": true])
      #expect(error?.message == "The provider took too long to answer. Please try again.")
    }
  }

  @Test("a picture by Gemini is not made where nobody listens")
  func offline() async throws {
    // Nobody listens at port 1, and nobody is ever handed it.
    let provider = try GeminiNetwork.provider("http://127.0.0.1:1")
    let error = await #expect(throws: AtelierError.self) {
      try await provider.makeImage(GeminiTest.request()) { _ in }
    }
    #expect(error?.kind == .offline)
    #expect(error?.details == ["reason": "connect"])
    #expect(error.map { "\($0)".contains("127.0.0.1") } == false, "the address is nobody's business")
  }

  @Test("a picture by Gemini is refused for a model that Google does not have")
  func unknownModel() async throws {
    try await withSimulator { simulator in
      let provider = try GeminiNetwork.provider(simulator)
      let request = GeminiTest.request(model: "gemini-2.5-flash-image-preview")
      let error = await #expect(throws: AtelierError.self) { try await provider.makeImage(request) { _ in } }
      #expect(error?.kind == .providerUnavailable)
      #expect(error?.isRetryable == false)
      #expect(error?.message.contains("gemini-2.5-flash-image-preview") == true)
    }
  }
}
