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
