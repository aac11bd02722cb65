import Imaging

extension ImagingError {
  /// The decoder's reason goes to the details, cut short; the sentence is for the person.
  init(unreadable failure: VipsFailure) {
    let lines = failure.reason.split(separator: "\n")
    if let line = lines.first(where: { $0.contains("out of memory") }) {
      self.init(
        .invalidImage, "The picture needs more memory than one picture may use. Please scale it down first.",
        details: ["reason": .string(String(line.prefix(200)))])
    } else {
      self = .unreadable
      if let line = lines.first { details = ["reason": .string(String(line.prefix(200)))] }
    }
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
