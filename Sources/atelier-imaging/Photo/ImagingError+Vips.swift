import Imaging

extension ImagingError {
  /// The decoder's reason goes to the details, cut short; the sentence is for the person.
  init(unreadable failure: VipsFailure) {
    self = .unreadable
    let reason = failure.reason.split(separator: "\n").first.map { String($0.prefix(200)) }
    if let reason { details = ["reason": .string(reason)] }
  }
}

extension ImagingError {
  /// Encoding pixels that are in memory does not fail for the picture's sake.
  init(unencodable failure: VipsFailure) {
    self.init(
      .internal, "The picture could not be stored as JPEG. Please try again, or run `atelier doctor`.",
      details: ["reason": .string(String(failure.reason.prefix(200)))])
  }
}
