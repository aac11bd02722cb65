import AtelierProtocol
import Engine
import Imaging
import PlaceLists

/// A person's own list of places, in which lookups are answered instead of by the geocoder.
struct PlaceListSource: LocationSource {
  let kind = PlaceSource.host
  let path: String
  let list: PlaceList

  var listing: String? { list.listing }

  /// Reads the file at `path`.
  /// - Throws: `CommandFailure` when it cannot be read, or is no list of places.
  init(path: String) async throws {
    self.path = path
    do {
      list = try PlaceList(csv: try await PhotoFile.read(path, maximumBytes: 100_000_000), path: path)
    } catch let error as ImagingError {
      throw CommandFailure(sentence: "The list of places cannot be read: \(error.message)")
    } catch let error as PlaceListFailure {
      throw CommandFailure(sentence: error.sentence)
    }
  }

  func places(for query: LocationQuery) async throws -> [FoundPlace] { list.places(for: query.text) }
}
