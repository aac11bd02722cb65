import Imaging
import JSON

extension ImagingError {
  /// The error for a picture that libvips refused; the sentence names what the file shows, or what the decoder said.
  init(unreadable failure: VipsFailure, _ input: InputBytes, _ format: ImageFormat) {
    let lines = failure.reason.split(separator: "\n")
    let shortages = ["out of memory", "Insufficient memory"]
    if let line = lines.first(where: { line in shortages.contains { line.contains($0) } }) {
      self.init(
        .invalidImage, "The picture needs more memory than one picture may use. Please scale it down first.",
        details: ["reason": .string(String(line.prefix(200)))])
    } else {
      let cause = UnreadableCause(
        of: input.withBytes { Array($0) }, format: format, decoderSaid: failure.reason)
      self.init(cause, reason: DecoderNotes(failure.reason).reason, format: format)
    }
  }
}
