import AtelierProtocol
import Imaging
import Providers
import Support
import Testing

@Suite("The device as a provider")
struct OnDeviceProviderTests {
  /// Checking a request starts no worker.
  private let provider = OnDeviceProvider(worker: ImagingWorker(executable: "/nowhere/atelier-imaging"))

  @Test(
    "the device takes what it can make",
    arguments: [(nil, nil), ("1:1", nil), (nil, "1K"), ("1:1", "1024x1024"), ("2:3", "2048")] as [(String?, String?)])
  func takes(aspectRatio: String?, size: String?) throws {
    try provider.check(
      ImageRequest(recipe: .headshot, model: "portrait-1", aspectRatio: aspectRatio, size: size, timeoutMs: 1))
  }

  @Test("the device refuses at once what it can never do, with what to do instead", arguments: [
    ImageRequest(recipe: .hairstyle, timeoutMs: 1),
    ImageRequest(recipe: .create, timeoutMs: 1),
    ImageRequest(recipe: .headshot, model: "gemini", timeoutMs: 1),
    ImageRequest(recipe: .headshot, aspectRatio: "16:9", timeoutMs: 1),
    ImageRequest(recipe: .headshot, size: "4K", timeoutMs: 1),
    passport(size: "nowhere"), passport(size: "35x45", head: "44-46"), passport(head: "26-30", pixels: "600x750"),
    passport(size: "35x45", pixels: "600x600"), passport(pixels: "3000x4000"), passport(pixels: "600x500"),
  ])
  func refuses(request: ImageRequest) throws {
    let error = try #require(throws: AtelierError.self) { try provider.check(request) }
    #expect(error.kind == .unsupportedByProvider)
    #expect(error.provider == .ondevice)
    #expect(error.message.hasSuffix("."))
  }

  private static func passport(size: String? = nil, head: String? = nil, pixels: String? = nil) -> ImageRequest {
    var request = ImageRequest(recipe: .headshot, size: pixels, crop: .passport, timeoutMs: 1)
    request.passportSize = size.flatMap(PassportSize.init)
    request.headHeight = head.flatMap(HeadHeight.init)
    return request
  }

  @Test("the device takes photos for passports of any size, by name, on paper and in pixels")
  func passports() throws {
    for request in [
      Self.passport(), Self.passport(size: "us"), Self.passport(size: "us-visa"),
      Self.passport(size: "nl", pixels: "413x531"),
      Self.passport(size: "36x47", head: "32-36"), Self.passport(pixels: "600x750"), Self.passport(size: "2x2in"),
    ] { try provider.check(request) }
    #expect(provider.profile.output?.passportPresets?.contains { $0.id == "nl" } == true)
  }

  @Test(
    "the device refuses variations of a flat background, which would all be the same picture",
    arguments: [.white, .transparent, .keep, .colour(FlatColour(red: 1, green: 2, blue: 3))] as [Background])
  func variationsOfOne(background: Background) throws {
    var request = ImageRequest(recipe: .headshot, style: Style(background: background), timeoutMs: 1)
    try provider.check(request)
    request.count = 2
    let error = try #require(throws: AtelierError.self) { try provider.check(request) }
    #expect(error.kind == .unsupportedByProvider)
    #expect(error.message.contains("leave count out"))
    request.style?.background = .casual
    try provider.check(request)
  }

  @Test("the device names the providers that a refused request can choose")
  func alternatives() throws {
    let provider = OnDeviceProvider(
      worker: ImagingWorker(executable: "/nowhere/atelier-imaging"), alternatives: [.gemini, .openai])
    let error = try #require(throws: AtelierError.self) {
      try provider.check(ImageRequest(recipe: .headshot, size: "4K", timeoutMs: 1))
    }
    #expect(error.message.hasSuffix(" Or choose another provider, to which the photo is then sent: “gemini”, “openai”."))
  }

  @Test("the device gives a picture the time its request has, no more", arguments: [1, 1500, 90_000])
  func deadline(timeoutMs: Int) async throws {
    let clock = ManualClock()
    let provider = OnDeviceProvider(worker: ImagingWorker(executable: "/nowhere/atelier-imaging", clock: clock.timer))
    // It ends for want of a worker: the clock stands still.
    await #expect(throws: AtelierError.self) {
      _ = try await provider.makeImage(
        ImageRequest(recipe: .headshot, photo: [1], style: Style(background: .casual), timeoutMs: timeoutMs)
      ) { _ in }
    }
    #expect(clock.sleeps == [.milliseconds(timeoutMs)])
  }
}
