import ArgumentParser
import AtelierProtocol

/// What a picture is made from.
struct SourceOptions: ParsableArguments {
  @Argument(
    help: "The photos: JPEG, PNG, WebP, HEIC or AVIF, or folders of them; - reads standard input.", completion: .file())
  var photos: [String] = []

  @Option(help: "Refine this generation instead of a photo, last for the newest; GENERATION:2 is its third picture.")
  var from: GenerationPicture?

  @Option(help: "Use this prepared photo, as `atelier prepare` printed it.")
  var prepared: String?

  @OptionGroup var folders: FolderOptions

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
    for photo in photos { try WebAddress.refuse(photo) }
    return sources.map { source in
      var request = request
      request.image = source.image
      return (source.name, request)
    }
  }
}

/// How folders of photos are gone through.
struct FolderOptions: ParsableArguments {
  @Flag(help: "Go through the folders in a folder as well; their pictures are put into folders of the same names.")
  var recursive = false

  @Flag(help: "Leave out the photos whose pictures are in the folder of --directory already.")
  var skipExisting = false

  @Flag(help: "Go on looking for new photos in the folders, until Ctrl-C.")
  var watch = false

  var settings: FolderSettings {
    FolderSettings(isRecursive: recursive, skipsExisting: skipExisting, isWatching: watch)
  }
}

/// A photo that somebody names by its address on the web, from which Atelier fetches nothing.
enum WebAddress {
  /// - Throws: wrong usage, with what to do instead.
  static func refuse(_ path: String) throws {
    let lowercase = path.lowercased()
    guard lowercase.hasPrefix("http://") || lowercase.hasPrefix("https://") else { return }
    throw ValidationError(
      "\(path) is an address: download it first, or pipe it in: curl -s \(path) | atelier generate - -o headshot.jpg")
  }
}
