import ArgumentParser
import AtelierProtocol

/// What a picture is made from.
struct SourceOptions: ParsableArguments {
  @Argument(help: "The photos: JPEG, PNG, WebP, HEIC or AVIF; - reads standard input.", completion: .file())
  var photos: [String] = []

  @Option(help: "Refine this generation instead of a photo, last for the newest; GENERATION:2 is its third picture.")
  var from: GenerationPicture?

  @Option(help: "Use this prepared photo, as `atelier prepare` printed it.")
  var prepared: String?

  var isEmpty: Bool { photos.isEmpty && from == nil && prepared == nil }

  /// The request for each source, and the source's name for a person.
  /// - Throws: wrong usage.
  func requests(like request: Generate) throws -> [(name: String?, request: Generate)] {
    var sources: [(name: String?, image: ImageSource)] = photos.map { ($0, .path($0)) }
    if let from { sources.append((from.text, from.source)) }
    if let prepared { sources.append((prepared, .prepared(PreparedID(rawValue: prepared)))) }
    guard !sources.isEmpty, sources.count == 1 || sources.count == photos.count else {
      throw ValidationError(
        "Name what to start from: photos, --from GENERATION or --prepared PREPARED, one of the three.")
    }
    return sources.map { source in
      var request = request
      request.image = source.image
      return (source.name, request)
    }
  }
}
