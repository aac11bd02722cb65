import AtelierProtocol
import CurlHTTP
import GeminiSimulator
import Imaging
import Testing

@testable import Providers

@Suite("OpenAI's API over the network", .timeLimit(.minutes(2)))
struct OpenAISimulatorTests {
  /// A simulated server, and a provider that asks it through libcurl.
  private func withServer(
    _ options: SimulatorOptions = SimulatorOptions(), key: String? = OpenAITest.key, model: String = "gpt-image-2",
    partialImages: Int? = nil, stallLimitMs: Int = 30_000,
    _ body: (OpenAIProvider, GeminiSimulator) async throws -> Void
  ) async throws {
    let simulator = try await GeminiSimulator.start(options)
    let client = CurlClient(CurlSettings(proxy: .none))
    var settings = try OpenAITest.settings(simulator.baseURL, model: model, partialImages: partialImages)
    settings.cloud.stallLimitMs = stallLimitMs
    let provider = OpenAIProvider(settings: settings, http: client, keys: GivenKey(text: key))
    do {
      try await body(provider, simulator)
    } catch {
      client.close()
      await simulator.stop()
      throw error
    }
    client.close()
    await simulator.stop()
  }

  @Test(
    "the OpenAI provider makes a headshot, a hairstyle, an edit with references, and a picture from words",
    arguments: [nil, 2])
  func recipes(partialImages: Int?) async throws {
    let photo = try OpenAITest.photo()
    try await withServer(partialImages: partialImages) { provider, simulator in
      let references = [try OpenAITest.photo("plain.png"), try OpenAITest.photo("plain.webp")]
      let requests = [
        OpenAITest.request(.headshot, photo: photo, aspectRatio: "1:1"),
        OpenAITest.request(.hairstyle, photo: photo, references: [references[0]], prompt: "a bob", aspectRatio: "1:1"),
        OpenAITest.request(.edit, photo: photo, references: references, prompt: "Prosím 🎩\nκαπέλο", size: "2K"),
        OpenAITest.request(.create, prompt: "灯台", aspectRatio: "16:9", size: "4K"),
      ]
      for request in requests {
        let record = ProgressRecord()
        let image = try await provider.makeImage(request) { record.note($0) }
        #expect(try ReceivedPicture(image.bytes).format == .png)
        #expect(image.usage.outputTokens == 4160)
        #expect(try #require(image.usage.costUsd) > 0.12)
        #expect(record.all.map(\.phase).contains(.processing))
        let shown = record.all.filter { $0.message == "Your picture is taking shape…" }
        #expect((partialImages == nil) == shown.isEmpty)
      }
      let seen = simulator.requests
      #expect(seen.map(\.operation) == [.imageEdit, .imageEdit, .imageEdit, .imageGeneration])
      #expect(seen.map { $0.facts?.images.count ?? 0 } == [1, 2, 3, 0])
      #expect(seen.map { $0.facts?.json["size"]?.string } == ["1024x1024", "1024x1024", "2304x1728", "3840x2160"])
      #expect(seen.map { $0.facts?.prompt } == requests.map { $0.prompt ?? "" })
      #expect(seen[2].facts?.images.map(\.mimeType) == ["image/jpeg", "image/png", "image/webp"])
    }
  }

  @Test(
    "the OpenAI provider turns every failure into its kind",
    arguments: [
      (.openAI(.invalidKey), .invalidApiKey), (.openAI(.insufficientQuota), .quotaExhausted),
      (.openAI(.rateLimit), .rateLimited), (.openAI(.moderationBlocked), .contentBlocked),
      (.openAI(.badParameter), .unsupportedByProvider), (.openAI(.modelNotFound), .providerUnavailable),
      (.openAI(.verificationNeeded), .providerDenied), (.openAI(.billingLimit), .quotaExhausted),
      (.openAI(.serverError), .providerError), (.openAI(.overloaded), .providerUnavailable),
      (.openAI(.url), .noImageReturned), (.openAI(.urlAndData), .noImageReturned), (.openAI(.emptyData), .noImageReturned),
      (.openAI(.noData), .noImageReturned), (.openAI(.detail), .unsupportedByProvider),
      (.openAI(.detailList), .unsupportedByProvider), (.openAI(.errorText), .providerError),
      (.answer(.html), .providerError), (.answer(.notJSON), .providerError), (.answer(.truncatedJSON), .providerError),
      (.answer(.emptyBody), .providerError), (.answer(.deepJSON), .providerError),
      (.answer(.truncatedBase64), .providerError), (.answer(.invalidBase64), .providerError),
      (.answer(.truncatedPicture), .providerError), (.answer(.notAnImage), .providerError),
      (.answer(.emptyImage), .noImageReturned), (.transport(.closeBeforeHead), .providerError),
      (.transport(.resetMidBody), .providerError), (.transport(.truncatedBody), .providerError),
      (.transport(.truncatedChunked), .providerError), (.transport(.notHTTP), .providerError),
      (.transport(.redirect), .providerUnavailable), (.transport(.redirectElsewhere), .providerUnavailable),
    ] as [(Fault, ErrorKind)])
  func failures(fault: Fault, kind: ErrorKind) async throws {
    try await withServer { provider, simulator in
      simulator.enqueue(fault)
      let error = try await #require(throws: AtelierError.self) {
        try await provider.makeImage(OpenAITest.request()) { _ in }
      }
      #expect(error.kind == kind)
      #expect(!String(describing: error).contains(OpenAITest.key))
      #expect(simulator.requests.count == 1)
      // What follows is as good as ever.
      _ = try await provider.makeImage(OpenAITest.request()) { _ in }
    }
  }

  @Test("the OpenAI provider survives what is odd but right", arguments: [
    .answer(.urlSafeBase64), .answer(.unpaddedBase64), .answer(.noUsage), .transport(.chunked),
    .transport(.untilClose), .transport(.interim), .transport(.gzip), .transport(.surprisingClose),
  ] as [Fault])
  func oddities(fault: Fault) async throws {
    try await withServer { provider, simulator in
      simulator.enqueue(fault)
      _ = try await provider.makeImage(OpenAITest.request()) { _ in }
      _ = try await provider.makeImage(OpenAITest.request()) { _ in }
    }
  }

  @Test("the OpenAI provider takes no stream for a success that ends in an error")
  func streamError() async throws {
    try await withServer(partialImages: 1) { provider, simulator in
      simulator.enqueue(.openAI(.streamError))
      let error = try await #require(throws: AtelierError.self) {
        try await provider.makeImage(OpenAITest.request()) { _ in }
      }
      #expect(error.kind == .providerError)
    }
  }

  @Test("the OpenAI provider gives up a server that falls silent", arguments: [nil, 1])
  func stall(partialImages: Int?) async throws {
    try await withServer(partialImages: partialImages, stallLimitMs: 200) { provider, simulator in
      simulator.enqueue(.transport(.stallMidBody))
      let error = try await #require(throws: AtelierError.self) {
        try await provider.makeImage(OpenAITest.request()) { _ in }
      }
      #expect(error.kind == .providerTimeout)
      #expect(error.details["reason"] == "stalled")
    }
  }

  @Test("the OpenAI provider closes the connection of a request that is cancelled", arguments: [nil, 1])
  func cancel(partialImages: Int?) async throws {
    try await withServer(partialImages: partialImages) { provider, simulator in
      simulator.enqueue(.transport(.holdMidBody))
      let work = Task { try await provider.makeImage(OpenAITest.request()) { _ in } }
      try await simulator.waitForRequest(1, reaching: .answering)
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }
      #expect(try await simulator.waitForClose(of: 1).state == .closedByPeer)
    }
  }

  @Test("the OpenAI provider tells how much of the photo is really sent")
  func upload() async throws {
    let photo = try OpenAITest.photo("face.jpg")
    try await withServer { provider, simulator in
      let record = ProgressRecord()
      _ = try await provider.makeImage(OpenAITest.request(.headshot, photo: photo)) { record.note($0) }
      let uploading = record.all.filter { $0.phase == .uploading }.compactMap(\.fraction)
      #expect(uploading == uploading.sorted())
      #expect(uploading.last == 1)
      #expect(record.all.last?.phase == .processing)
      try #require(!simulator.requests.isEmpty)
      #expect(simulator.requests[0].bytesReceived > photo.count)
    }
  }

  @Test("the OpenAI provider works with a server on this machine that has other models, other fields and no keys")
  func local() async throws {
    var options = SimulatorOptions()
    options.isLocalServer = true
    try await withServer(options, key: nil, model: "qwen-image") { provider, simulator in
      #expect(await provider.availability().available)
      let image = try await provider.makeImage(OpenAITest.request()) { _ in }
      #expect(image.model == "qwen-image")
      #expect(image.usage.costUsd == nil)
      try #require(!simulator.requests.isEmpty)
      #expect(simulator.requests[0].facts?.json["response_format"] == "b64_json")
    }
  }

  @Test("the OpenAI provider leaves out what the server calls unknown")
  func unknownField() async throws {
    try await withServer(model: "gpt-image-2") { provider, simulator in
      var settings = provider.settings
      settings.takesSeed = true
      let client = CurlClient(CurlSettings(proxy: .none))
      defer { client.close() }
      let seeded = OpenAIProvider(settings: settings, http: client, keys: GivenKey(text: OpenAITest.key))
      let image = try await seeded.makeImage(OpenAITest.request(seed: 3)) { _ in }
      #expect(image.warnings.map(\.kind) == ["seed_ignored"])
      #expect(simulator.requests.map(\.status) == [400, 200])
    }
  }

  @Test("the OpenAI provider lists the models of the server")
  func models() async throws {
    try await withServer { provider, _ in
      let models = try await provider.fetchModels()
      #expect(models.first == "gpt-image-2")
      #expect(models.count == 8)
    }
  }

  @Test("the OpenAI provider says that a server that is not there cannot be reached")
  func offline() async throws {
    let client = CurlClient(CurlSettings(proxy: .none))
    defer { client.close() }
    // Nobody listens at port 1, and nobody is ever handed it.
    let provider = OpenAIProvider(
      settings: try OpenAITest.settings("http://127.0.0.1:1"), http: client, keys: GivenKey())
    let error = try await #require(throws: AtelierError.self) {
      try await provider.makeImage(OpenAITest.request()) { _ in }
    }
    #expect(error.kind == .offline)
  }
}
