extension Generate {
  public static let title = "Make pictures"

  public static let errors: [ErrorKind] = [
    .invalidImage, .invalidDimensions, .wrongRecipeInput, .permissionDenied, .fileAccessDenied, .notFound,
    .templateNotFound, .inputExpired, .timedOut, .idempotencyMismatch, .imageTooLarge, .unsupportedImage, .noFaceFound,
    .unsupportedByProvider, .interrupted, .providerUnavailable, .storageFull,
  ]

  public static let examples = [
    RequestExample(
      "A headshot from a photo",
      Generate(
        recipe: .headshot, image: .path("/home/anna/photo.jpg"), style: Style(angle: .front, background: .professional),
        idempotencyKey: ExampleValues.idempotencyKey, metadata: ["order": 4_711]),
      answer: .finished(ExampleValues.result)),
    RequestExample(
      "Two casual headshots that outlive the connection",
      Generate(
        recipe: .headshot, image: .prepared("prep_01kbkf7z2m"), style: Style(background: .casual),
        output: Output(count: 2), detach: true),
      answer: .accepted(Acceptance(generationId: ExampleValues.generationId, state: .queued))),
    RequestExample(
      "A hairstyle from a template, with a wish",
      Generate(
        recipe: .hairstyle, image: .path("/home/anna/photo.jpg"), prompt: "with a fringe", template: "jaw-length-bob"),
      answer: .finished(ExampleValues.hairstyle)),
    RequestExample(
      "A headshot that was cancelled", Generate(recipe: .headshot, image: .path("/home/anna/photo.jpg")),
      answer: .finished(ExampleValues.cancelled)),
  ]
}

extension Regenerate {
  public static let title = "Make pictures again"

  public static let errors: [ErrorKind] = Generate.errors + [.notFinished]

  public static let examples = [
    RequestExample(
      "The same once more", Regenerate(generationId: ExampleValues.generationId),
      answer: .finished(ExampleValues.regenerated)),
    RequestExample(
      "Two before another background, later",
      Regenerate(
        generationId: ExampleValues.generationId, style: Style(background: .casual),
        output: Generate.Output(count: 2), detach: true),
      answer: .accepted(Generate.Acceptance(generationId: ExampleValues.regenerated.generationId, state: .queued))),
  ]
}

extension Cancel {
  public static let title = "End a generation"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .alreadyFinished]

  public static let examples = [
    RequestExample(
      "Cancel by id", Cancel(target: .id(ExampleValues.generationId)),
      answer: Result(
        generationId: ExampleValues.generationId, state: .cancelled, credits: ReleasedCredits(balanceAfter: nil))),
    RequestExample(
      "Cancel a metered account's by its key",
      Cancel(target: .idempotencyKey(ExampleValues.idempotencyKey), account: "anna"),
      answer: Result(
        generationId: ExampleValues.generationId, state: .cancelled,
        credits: ReleasedCredits(released: 1, balanceAfter: 4))),
  ]
}

extension CancelRequest {
  public static let title = "Cancel a request"
  public static let example = CancelRequest(id: 1)
}

extension GenerationFinished {
  public static let title = "The end of a detached generation"

  public static let example = GenerationFinished(
    generationId: ExampleValues.generationId, state: .succeeded, result: ExampleValues.result)
}

extension GenerationProgress {
  public static let title = "How far a generation is"

  public static let example = GenerationProgress(
    generationId: ExampleValues.generationId, requestId: 1, sequence: 6, state: .running, phase: .processing,
    message: "Separating you from the background…", fraction: 0.4, elapsedMs: 370, etaMs: 410)
}

extension ImagePrepare {
  public static let title = "Make a photo fit"

  public static let errors: [ErrorKind] = [
    .invalidImage, .invalidDimensions, .permissionDenied, .fileAccessDenied, .notFound, .inputExpired, .timedOut,
    .imageTooLarge, .unsupportedImage, .storageFull,
  ]

  public static let examples = [
    RequestExample(
      "A photo from a phone", ImagePrepare(image: .path("/home/anna/IMG_2041.HEIC")),
      answer: Result(
        preparedId: "prep_01kbkf7z2m", width: 960, height: 1_280, bytes: 231_877, mimeType: "image/jpeg",
        original: Original(width: 4_032, height: 3_024, bytes: 2_104_331, mimeType: "image/heic"),
        changes: ["rotated", "resized", "metadata_removed", "format_changed"],
        expiresAt: Timestamp(milliseconds: ExampleValues.accepted.milliseconds + 86_400_000)))
  ]
}

extension Status {
  public static let title = "See where things stand"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  public static let examples = [
    RequestExample(
      "The service", Status(),
      answer: .service(
        ServiceStatus(
          version: "0.1.0", uptimeMs: 86_400_000, inFlight: 1, queued: 0, providers: [ExampleValues.provider],
          store: ServiceStatus.StoreHealth(path: ExampleValues.dataDirectory, schemaVersion: 1, healthy: true),
          counters: ServiceStatus.Counters(accepted: 12, succeeded: 10, failed: 1), memoryBytes: 21_430_272))),
    RequestExample(
      "A generation", Status(target: .id(ExampleValues.generationId)),
      answer: .generation(
        GenerationStatus(
          generationId: ExampleValues.generationId, state: .running, phase: .processing,
          message: "Separating you from the background…", fraction: 0.4, sequence: 6,
          createdAt: ExampleValues.accepted, startedAt: ExampleValues.started, etaMs: 410, account: .owner,
          recipe: .headshot, provider: .ondevice))),
    RequestExample(
      "An account", Status(account: .owner),
      answer: .account(
        AccountStatus(
          account: .owner, tier: .owner, credits: .unmetered(.owner), limits: [],
          running: [ExampleValues.generationId]))),
  ]
}
