import JSON

/// The files of `Resources/`, which are compiled into the program, so that it finds them wherever it runs.
enum Resources {
  /// The faults by their names.
  static let faults: [String: FaultEntry] = decoded(PackageResources.faults_json)
  static let gemini: GeminiTables = decoded(PackageResources.gemini_json)
  static let places: [PlacesTable.Region] = decoded(PackageResources.places_json)
  /// A square of colours.
  static let jpeg = PackageResources.picture_jpg
  /// The same, in the form that has room for metadata, of which it promises XMP.
  static let webp = PackageResources.picture_webp

  private static func decoded<Value: Decodable>(_ bytes: [UInt8]) -> Value {
    do {
      return try JSONValueDecoder(unknownMembers: .reject).decode(from: try JSONValue(parsing: bytes))
    } catch {
      // Nothing from outside gets here: the files are part of the program, and its tests read them.
      fatalError("A file of Resources/ is damaged: \(error)")
    }
  }
}

/// What `gemini.json` holds.
struct GeminiTables: Decodable, Sendable {
  /// In the order of ListModels.
  var models: [SimulatedModel]
  /// The messages of a request: the types of their fields, by name. A type is `string` and the like, or the name of a
  /// message or an enumeration; in brackets it is repeated, and after `data` one of those that exclude each other.
  var messages: [String: [String: String]]
  var enumerations: [String: Set<String>]
}
