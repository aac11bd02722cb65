/// What the examples have in common.
enum ExampleValues {
  static let generationId: GenerationID = "gen_01kbkf8q6v"
  static let idempotencyKey = "order-4711"
  static let accepted = Timestamp(milliseconds: 1_795_238_760_123)
  static let started = Timestamp(milliseconds: 1_795_238_760_131)
  static let finished = Timestamp(milliseconds: 1_795_238_760_903)
  static let dataDirectory = "/home/anna/.local/share/atelier"

  static let sha256 = "5f0cd1a2c5b6e0d8f1f4b7c6a9e2d3b4f5a6978812233445566778899aabbccd"

  static let image = GeneratedImage(
    index: 0, path: "\(dataDirectory)/artifacts/5f/0c/\(sha256).jpg", mimeType: "image/jpeg", width: 1_024,
    height: 1_024,
    bytes: 187_204, sha256: sha256)

  static let timings = Timings(
    queuedMs: 8, preparingMs: 121, uploadingMs: 0, processingMs: 612, savingMs: 39, totalMs: 780)

  static let usage = Usage(inputTokens: 0, outputTokens: 0, costUsd: 0)

  static let result = Generate.Result(
    generationId: generationId, outcome: .succeeded, recipe: .headshot, provider: .ondevice, model: "portrait-1",
    images: [image],
    warnings: [
      Warning(kind: "low_resolution", message: "The face is small in the photo: a closer one gives a sharper picture.")
    ], usage: usage, credits: Credits(balanceAfter: nil), timings: timings)

  static let regenerated = Generate.Result(
    generationId: "gen_01kbkf9c3w", outcome: .succeeded, recipe: .headshot, provider: .ondevice, model: "portrait-1",
    images: [image], usage: usage, credits: Credits(balanceAfter: nil), timings: timings)

  static let hairstyle = Generate.Result(
    generationId: generationId, outcome: .succeeded, recipe: .hairstyle, template: "jaw-length-bob", provider: .gemini,
    model: "gemini-nano-banana-2.1", images: [image], usage: Usage(inputTokens: 806, outputTokens: 1_680, costUsd: 0.05),
    credits: Credits(balanceAfter: nil), timings: timings)

  static let cancelled = Generate.Result(
    generationId: generationId, outcome: .cancelled, recipe: .headshot, provider: .ondevice, model: "portrait-1",
    images: [], usage: usage, credits: Credits(balanceAfter: nil),
    timings: Timings(queuedMs: 8, preparingMs: 121, processingMs: 90, totalMs: 219))

  static let error = AtelierError(.noFaceFound, generationId: generationId, provider: .ondevice).body(at: finished)

  static let entry = History.Entry(
    generationId: generationId, createdAt: accepted, finishedAt: finished, recipe: .headshot, state: .succeeded,
    style: Style(angle: .front, background: .professional), account: .owner, provider: .ondevice,
    model: "portrait-1", images: [image],
    thumbnail: "\(dataDirectory)/artifacts/91/e4/91e4b7c6a9e2d3b4f5a6978812233445566778899aabbccd5f0cd1a2c5b6e0d8.jpg",
    credits: History.Entry.Credits(balanceAfter: nil), usage: usage, timings: timings, metadata: ["order": 4_711])

  static let favourite: History.Entry = {
    var favourite = entry
    favourite.favourite = true
    return favourite
  }()

  static let session = SessionList.Entry(
    sessionId: generationId, account: .owner, steps: 2, latestAt: finished,
    first: SessionList.Step(generationId: generationId, createdAt: accepted, recipe: .headshot, state: .succeeded),
    last: SessionList.Step(
      generationId: "gen_01kbkfb2w0", createdAt: finished, recipe: .hairstyle, state: .succeeded, prompt: "shorter"),
    thumbnail: entry.thumbnail)

  static let provider = ProviderStatus(id: .ondevice, available: true)
}

/// A call and what it is answered with.
public struct RequestExample<Message: RequestMessage>: Sendable {
  /// What it shows, in a few words.
  public var name: String
  public var params: Message
  public var answer: Message.Answer

  public init(_ name: String, _ params: Message, answer: Message.Answer) {
    self.name = name
    self.params = params
    self.answer = answer
  }
}
