import AtelierProtocol
import Glibc
import JSON

/// One generation that a command asks for.
struct PictureJob: Sendable {
  /// The position among the command's generations, from 0.
  var position: Int
  /// What it starts from, as the person named it; nil for a picture from words alone.
  var name: String?
  var request: Generate
  /// The folder below that of `--directory` in which its pictures go; nil for that folder itself.
  var subfolder: String?
  /// The number of the first name to try for its picture: 2 for `anna-headshot-2.jpg`.
  var firstNumber = 1

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

  /// The same job with what history is to know of it: the name of the photo, and where its picture is written. A private
  /// one has none of both. Another account's has no path: its confined connections are told none of this machine.
  /// - Parameter target: the absolute path of the picture's file; nil when it is not known beforehand.
  func recording(target: String?) -> PictureJob {
    guard request.private != true else { return self }
    var metadata: JSONObject = [:]
    metadata["source"] = photoPath.map { .string(OutputName($0).name) }
    metadata["target"] = request.account ?? .owner == .owner ? target.map { .string($0) } : nil
    var job = self
    // A path can be longer than what a host may record.
    if !Metadata.allows(metadata) { metadata["target"] = nil }
    job.request.metadata = metadata.isEmpty || !Metadata.allows(metadata) ? nil : metadata
    return job
  }
}
