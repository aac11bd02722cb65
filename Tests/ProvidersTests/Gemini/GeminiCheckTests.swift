import AtelierProtocol
import Testing

@testable import Providers

@Suite("What Gemini can be asked")
struct GeminiCheckTests {
  private let provider = GeminiProvider(http: GeminiStub([:]), keys: GeminiKeys())

  @Test("Gemini can be asked what its models can do", arguments: [
    (nil, "16:9", "1K"), (nil, "8:1", "4k"), (nil, nil, nil), ("gemini-2.5-flash-image", "21:9", "1K"),
    ("gemini-3-pro-image", "1:1", "4K"), ("gemini-3.1-flash-image", "1:8", "512"),
    ("models/gemini-3-pro-image", nil, "2K"), ("gemini-9-image", "1:8", "512"),
  ] as [(String?, String?, String?)])
  func possible(model: String?, aspectRatio: String?, size: String?) throws {
    try provider.check(GeminiTest.request(model: model, aspectRatio: aspectRatio, size: size))
  }

  @Test("any other request to Gemini is refused, with what to ask instead", arguments: [
    (nil, "16:10", nil, "16:9"), (nil, nil, "512", "1K, 2K, 4K"), (nil, nil, "1024x1024", "1K, 2K, 4K"),
    ("gemini-2.5-flash-image", nil, "2K", "sizes 1K"), ("gemini-3-pro-image", "1:8", nil, "21:9"),
    ("gemini-3.1-flash-lite-image", nil, "2K", "sizes 1K"), ("gemini-9-image", "2:1", nil, "1:8"),
    ("../../secret", nil, nil, "letters"), ("a/b", nil, nil, "letters"), ("a:b", nil, nil, "letters"),
    ("", nil, nil, "letters"), ("a?key=b", nil, nil, "letters"), ("modèle", nil, nil, "letters"),
  ] as [(String?, String?, String?, String)])
  func impossible(model: String?, aspectRatio: String?, size: String?, hint: String) throws {
    let error = #expect(throws: AtelierError.self) {
      try provider.check(GeminiTest.request(model: model, aspectRatio: aspectRatio, size: size))
    }
    #expect(error?.kind == .unsupportedByProvider)
    #expect(error?.forOperators.contains(hint) == true, "\(error?.message ?? "")")
    #expect(error?.provider == .gemini)
  }

  @Test("a request to Gemini has words, a temperature the API knows, and at most three pictures")
  func rest() {
    func kind(_ request: ImageRequest) -> ErrorKind? {
      do throws(AtelierError) {
        try provider.check(request)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind(GeminiTest.request(prompt: nil)) == .wrongRecipeInput)
    #expect(kind(GeminiTest.request(prompt: " \n")) == .wrongRecipeInput)
    #expect(kind(GeminiTest.request(temperature: 2)) == nil)
    #expect(kind(GeminiTest.request(temperature: 2.01)) == .unsupportedByProvider)
    #expect(kind(GeminiTest.request(temperature: .nan)) == .unsupportedByProvider)
    #expect(kind(GeminiTest.request(.edit, photo: [1], references: [[1], [2]])) == nil)
    #expect(kind(GeminiTest.request(.edit, photo: [1], references: [[1], [2], [3]])) == .tooManyImages)
    #expect(kind(GeminiTest.request(.places)) == nil)
    #expect(kind(GeminiTest.request(.places, model: "no/model")) == .unsupportedByProvider)
  }

  @Test("a picture that only this machine makes is refused, and the refusal names who makes it")
  func onDeviceOnly() {
    var transparent = GeminiTest.request(.headshot)
    transparent.style = Style(background: .transparent)
    var format = GeminiTest.request(.headshot)
    format.format = .png
    var quality = GeminiTest.request(.headshot)
    quality.quality = 80
    var crop = GeminiTest.request(.headshot)
    crop.crop = .passport
    var matte = GeminiTest.request(.headshot)
    matte.wantsMatte = true
    var wholeFrame = GeminiTest.request(.headshot)
    wholeFrame.crop = .wholeFrame
    var bytes = GeminiTest.request(.headshot)
    bytes.maximumBytes = 240_000
    var least = GeminiTest.request(.headshot)
    least.minimumBytes = 20_000
    var kept = GeminiTest.request(.headshot)
    kept.style = Style(background: .keep)
    for request in [transparent, format, quality, crop, matte, wholeFrame, bytes, least, kept] {
      let error = #expect(throws: AtelierError.self) { try provider.check(request) }
      #expect(error?.kind == .unsupportedByProvider && error?.provider == .gemini)
      #expect(error?.message.contains("“ondevice”") == true)
    }
    var white = GeminiTest.request(.headshot)
    white.style = Style(background: .white)
    #expect(throws: Never.self) { try provider.check(white) }
  }

  @Test("Gemini without a key is not available, and says how to give one")
  func keys() async throws {
    let without = GeminiProvider(http: GeminiStub([:]), keys: GeminiKeys(text: nil))
    let availability = await without.availability()
    #expect(!availability.available)
    #expect(availability.needsKey)
    #expect(availability.hint?.contains("`atelier credentials set gemini`") == true)
    #expect(availability.hint?.contains("GEMINI_API_KEY") == true)
    let error = await #expect(throws: AtelierError.self) { try await without.makeImage(GeminiTest.request()) { _ in } }
    #expect(error?.kind == .noApiKey)

    let locked = AtelierError(.fileAccessDenied, "The key file cannot be read.", provider: .gemini)
    let unreadable = GeminiProvider(http: GeminiStub([:]), keys: GeminiKeys(failure: locked))
    #expect(
      await unreadable.availability()
        == ProviderAvailability(available: false, reason: "The key file cannot be read.", needsKey: false))
    #expect(await provider.availability() == ProviderAvailability(available: true))
  }

  @Test("the profile tells what Gemini can be asked")
  func profile() {
    #expect(provider.profile.recipes == Recipe.allCases)
    #expect(provider.profile.models.first == "gemini-nano-banana-2.1")
    #expect(!provider.profile.models.contains { $0.hasSuffix("preview") || $0 == "gemini-3.1-flash-image" })
    #expect(!provider.profile.isLocal)
    #expect(provider.profile.creditsPerImage == 1)
    #expect(provider.maximumConcurrentImages == 2048)
  }
}
