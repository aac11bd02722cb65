extension ImagingError {
  /// The formats that are read, for people.
  static let readableFormats = "JPEG, PNG, WebP, HEIC or AVIF"

  /// The refusal of what is no readable picture; nil for one that is.
  public init?(refusing content: RecognisedContent) {
    switch content {
    case .picture:
      return nil
    case .empty:
      self.init(.invalidImage, "The picture is empty. Please choose another photo.")
    case .other(let name):
      self.init(
        .unsupportedImage, "This is \(name), not a photo Atelier can read. Please use \(Self.readableFormats).",
        details: ["recognisedAs": .string(name)])
    case .unknown:
      self.init(.unsupportedImage, "This is not a picture Atelier knows. Please use \(Self.readableFormats).")
    }
  }

  /// The refusal of a picture that is damaged, cut off or made to break its reader.
  public static let unreadable = ImagingError(
    .invalidImage,
    "The picture could not be read: it is damaged or incomplete. "
      + "Please open it in a photo application and save it again, or choose another.")
}
