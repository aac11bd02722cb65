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
