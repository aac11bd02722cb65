import AtelierProtocol
import JSON

/// The address of a picture as a resource: `atelier://pictures/{generation}/{index}`.
struct PictureAddress: Sendable, Equatable {
  private static let prefix = "atelier://pictures/"

  var generation: GenerationID
  var index: Int

  init(_ generation: GenerationID, _ index: Int) { (self.generation, self.index) = (generation, index) }

  /// - Returns: nil unless `text` is such an address.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...GenerationID.maximumLength).contains(parts[0].count), let index = Int(parts[1]), index >= 0
    else { return nil }
    self.init(GenerationID(rawValue: String(parts[0])), index)
  }

  var text: String { "\(Self.prefix)\(generation.rawValue)/\(index)" }

  static let template: JSONValue = [
    "uriTemplate": "atelier://pictures/{generation}/{index}", "name": "picture", "title": "A finished picture",
    "description": "A picture of a generation: the id of the generation, and the position of the picture from 0.",
  ]
}
