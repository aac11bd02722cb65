import AtelierProtocol
import Credentials
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("OpenAI as a provider")
struct OpenAIProviderTests {
  private let usage =
    #","usage":{"input_tokens":1050,"input_tokens_details":{"image_tokens":1000,"text_tokens":50},"#
    + #""output_tokens":2000}"#

  @Test("the OpenAI provider gives the picture as it came, with its size, its tokens and what they cost")
  func picture() async throws {
    let server = ScriptedServer(.json(try OpenAITest.answer(more: usage)))
    let image = try await OpenAITest.provider(server).makeImage(OpenAITest.request()) { _ in }
    #expect(image.bytes == (try OpenAITest.photo("plain.png")))
    #expect(image.mimeType == "image/png")
    #expect([image.width, image.height] == [400, 300])
    #expect(image.model == "gpt-image-2")
    #expect(image.usage.inputTokens == 1050)
    #expect(image.usage.outputTokens == 2000)
    // 50 tokens at 5 dollars a million, 1000 at 8, 2000 at 30.
    let cost = try #require(image.usage.costUsd)
    #expect(abs(cost - 0.06825) < 1e-9)
    #expect(image.warnings.isEmpty)
    #expect(image.turn == nil)
  }

  @Test("the OpenAI provider knows no cost where the server counted nothing, or the price is not known")
  func unknownCost() async throws {
    let silent = ScriptedServer(.json(try OpenAITest.answer()))
    #expect(try await OpenAITest.provider(silent).makeImage(OpenAITest.request()) { _ in }.usage == Usage())
    let other = ScriptedServer(.json(try OpenAITest.answer(more: usage + #","model":"own-model""#)))
    let image = try await OpenAITest.provider(other).makeImage(OpenAITest.request()) { _ in }
    #expect(image.model == "own-model")
    #expect(image.usage == Usage(inputTokens: 1050, outputTokens: 2000, costUsd: nil))
  }

  @Test("the OpenAI provider tells what it is sending, how far, and then that the picture is being made")
  func progress() async throws {
    let record = ProgressRecord()
    let request = OpenAITest.request(.headshot, photo: try OpenAITest.photo())
    let server = ScriptedServer(.json(try OpenAITest.answer()))
    _ = try await OpenAITest.provider(server).makeImage(request) { record.note($0) }
    try #require(record.all.map(\.phase) == [.uploading, .uploading, .processing])
    let fractions = record.all.map(\.fraction)
    #expect(abs(try #require(fractions[0]) - 0.5) < 0.01)
    #expect(fractions[1] == 1)
    #expect(record.all[0].message == "Sending your photo…")
  }

  @Test("the OpenAI provider ends at once when its task is cancelled")
  func cancel() async throws {
    let server = ScriptedServer(ScriptedServer.Answer(hangs: true))
    let provider = try OpenAITest.provider(server)
    let work = Task { try await provider.makeImage(OpenAITest.request()) { _ in } }
    try await server.requests.wait { !$0.isEmpty }
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test("the provider warns of a seed and a temperature that the API does not take, not of a temperature of our own")
  func warnings() async throws {
    let answer = ScriptedServer.Answer.json(try OpenAITest.answer())
    func kinds(_ request: ImageRequest) async throws -> [String] {
      try await OpenAITest.provider(ScriptedServer(answer)).makeImage(request) { _ in }.warnings.map(\.kind)
    }
    let photo = try OpenAITest.photo()
    #expect(try await kinds(OpenAITest.request(temperature: 1, seed: 7)) == ["seed_ignored", "temperature_ignored"])
    var request = OpenAITest.request(.headshot, photo: photo, temperature: 0.25)
    request.isTemperatureOurs = true
    #expect(try await kinds(request).isEmpty)
    #expect(try await kinds(OpenAITest.request()).isEmpty)
  }

  @Test("the OpenAI provider sends a seed to a server that is said to take one, another for each variation")
  func seeds() async throws {
    var settings = try OpenAITest.settings(OpenAITest.local, model: "sd")
    settings.takesSeed = true
    let server = ScriptedServer(.json(try OpenAITest.answer()))
    let provider = OpenAIProvider(settings: settings, http: server, keys: GivenKey())
    var request = OpenAITest.request(seed: .max)
    request.variation = 2
    #expect(try await provider.makeImage(request) { _ in }.warnings.isEmpty)
    #expect(try JSONValue(parsing: try #require(server.requests.value[0].body))["seed"] == 1)
  }

  @Test("the OpenAI provider refuses at once what it can never do, with what to do instead", arguments: [
    OpenAITest.request(size: "huge"),
    OpenAITest.request(aspectRatio: "5:1"), OpenAITest.request(prompt: nil), OpenAITest.request(prompt: " \n"),
    OpenAITest.request(model: "gpt-image-1.5", size: "4K"), OpenAITest.request(format: .png),
  ])
  func check(request: ImageRequest) async throws {
    let server = ScriptedServer()
    let provider = try OpenAITest.provider(server)
    let error = try #require(throws: AtelierError.self) { try provider.check(request) }
    #expect([.unsupportedByProvider, .wrongRecipeInput].contains(error.kind))
    #expect(error.provider == .openai)
    await #expect(throws: AtelierError.self) { try await provider.makeImage(request) { _ in } }
    #expect(server.requests.value.isEmpty)
  }

  // MARK: Keys

  @Test(
    "the OpenAI provider needs a key, but not on this machine",
    arguments: [
      ("https://api.openai.com", nil, false, true), ("https://gateway.example/v1", nil, false, true),
      ("https://api.openai.com", "sk-a", true, false), (OpenAITest.local, nil, true, false),
      ("http://localhost:8080", nil, true, false), ("http://[::1]:8080", nil, true, false),
      ("https://localhost", nil, true, false), (OpenAITest.local, "sk-a", true, false),
    ] as [(String, String?, Bool, Bool)])
  func availability(base: String, key: String?, isAvailable: Bool, needsKey: Bool) async throws {
    let availability = await (try OpenAITest.provider(ScriptedServer(), base: base, key: key)).availability()
    #expect(availability.available == isAvailable)
    #expect(availability.needsKey == needsKey)
    #expect((availability.reason == nil) == isAvailable)
  }

  @Test("the OpenAI provider is not available while its key cannot be read, and says why")
  func unreadableKey() async throws {
    let refusal = AtelierError(.fileAccessDenied, "The file of keys cannot be read.")
    let provider = OpenAIProvider(http: ScriptedServer(), keys: GivenKey(failure: refusal))
    #expect(
      await provider.availability()
        == ProviderAvailability(available: false, reason: "The file of keys cannot be read.", needsKey: false))
  }

  @Test(
    "the provider does without a key on this machine where what was set is none, or a keyring does not answer",
    arguments: [
      ("placeholder_key", .noApiKey, true), ("keyring_unavailable", .noApiKey, true), ("keyring_locked", .noApiKey, false),
      (nil, .noApiKey, false), (nil, .invalidApiKey, true), (nil, .fileAccessDenied, false),
    ] as [(String?, ErrorKind, Bool)])
  func noRealKey(reason: String?, kind: ErrorKind, isEnough: Bool) async throws {
    let refusal = AtelierError(
      kind, "OPENAI_API_KEY holds a placeholder.", details: reason.map { ["reason": .string($0)] } ?? [:])
    let server = ScriptedServer(.json(try OpenAITest.answer()))
    for (base, isAvailable) in [(OpenAITest.local, isEnough), ("https://gateway.example/v1", false)] {
      let provider = OpenAIProvider(
        settings: try OpenAITest.settings(base), http: server, keys: GivenKey(failure: refusal))
      let availability = await provider.availability()
      #expect(availability.available == isAvailable)
      #expect(isAvailable || availability.reason == refusal.sentence && availability.needsKey == (kind == .noApiKey))
      let image = try? await provider.makeImage(OpenAITest.request()) { _ in }
      #expect((image != nil) == isAvailable)
    }
    #expect(server.requests.value.count == (isEnough ? 1 : 0))
    #expect(server.requests.value.allSatisfy { !$0.headers.map(\.name).contains("Authorization") })
  }

  @Test("the OpenAI provider sends the key to its server, in one header, and nowhere else")
  func header() async throws {
    let server = ScriptedServer(.json(try OpenAITest.answer()))
    _ = try await OpenAITest.provider(server).makeImage(OpenAITest.request()) { _ in }
    let request = server.requests.value[0]
    let withKey = request.headers.filter { $0.value.contains("sk-") }
    #expect(withKey == [HTTPHeader("Authorization", "Bearer \(OpenAITest.key)")])
    #expect(!request.url.contains("sk-"))
    let keyless = ScriptedServer(.json(try OpenAITest.answer()))
    let local = try OpenAITest.provider(keyless, base: OpenAITest.local, key: nil)
    _ = try await local.makeImage(OpenAITest.request()) { _ in }
    #expect(keyless.requests.value[0].headers.allSatisfy { $0.name != "Authorization" })
  }

  // MARK: Models and profile

  @Test("the OpenAI provider lists its models for pictures, the default first, and everything of another server")
  func models() async throws {
    let list = #"{"object":"list","data":[{"id":"gpt-5"},{"id":"gpt-image-3"},{"id":"gpt-image-2"},{"id":"dall"},{}]}"#
    let server = ScriptedServer(.json(list))
    #expect(try await OpenAITest.provider(server).fetchModels() == ["gpt-image-2", "gpt-image-3"])
    #expect(server.requests.value[0].url == "https://api.openai.com/v1/models")
    #expect(server.requests.value[0].method == .get)
    let local = try OpenAITest.provider(ScriptedServer(.json(list)), base: OpenAITest.local, model: "dall")
    #expect(try await local.fetchModels() == ["dall", "gpt-5", "gpt-image-2", "gpt-image-3"])
  }

  @Test("the OpenAI provider passes on why the models cannot be listed")
  func modelsRefused() async throws {
    let refused = ScriptedServer(.json(#"{"error":{"message":"no","code":"invalid_api_key"}}"#, status: 401))
    let error = try await #require(throws: AtelierError.self) { try await OpenAITest.provider(refused).fetchModels() }
    #expect(error.kind == .invalidApiKey)
    let page = try OpenAITest.provider(ScriptedServer(.json("<html>")))
    #expect(try await #require(throws: AtelierError.self) { try await page.fetchModels() }.kind == .providerError)
  }

  @Test("the OpenAI provider says of itself what it is and which models it has")
  func profile() throws {
    let own = try OpenAITest.provider(ScriptedServer()).profile
    #expect(own.title == "OpenAI")
    #expect(own.models.first == "gpt-image-2")
    #expect(own.models.count == 8)
    #expect(own.recipes == Recipe.allCases)
    let other = try OpenAITest.provider(ScriptedServer(), base: OpenAITest.local, model: "qwen-image").profile
    #expect(other.title == "OpenAI-compatible server")
    #expect(other.models == ["qwen-image"])
    #expect(!other.isLocal)
    #expect(other.isServedHere && !own.isServedHere)
    #expect(try OpenAITest.provider(ScriptedServer(), base: "https://localhost:8443").profile.isServedHere)
    #expect(try !OpenAITest.provider(ScriptedServer(), base: "https://gateway.example").profile.isServedHere)
  }
}
