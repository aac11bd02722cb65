import AtelierProtocol
import Glibc

/// One generation that a command asks for.
struct PictureJob: Sendable {
  /// The position among the command's generations, from 0.
  let position: Int
  /// What it starts from, as the person named it; nil for a picture from words alone.
  let name: String?
  var request: Generate

  /// The photo's file; nil when it does not start from one.
  var photoPath: String? {
    if case .path(let path)? = request.image, path != StandardInput.name { path } else { nil }
  }

  /// The same job with the picture of standard input where it is named.
  func reading(_ input: InlineImage?) -> PictureJob {
    guard let input else { return self }
    func read(_ source: ImageSource) -> ImageSource { source == .path(StandardInput.name) ? .data(input) : source }
    var job = self
    job.request.image = request.image.map(read)
    job.request.references = request.references?.map(read)
    return job
  }
}
