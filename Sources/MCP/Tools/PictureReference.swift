import AtelierProtocol
import Encodings
import JSON

/// How the tools are given a picture: a path, or a picture of an earlier generation.
struct PictureReference: Sendable {
  static let description =
    "An absolute path such as /home/anna/photo.jpg, or an earlier result: its generation id (gen_…) or its "
    + "atelier://pictures/… address. Not a URL, not base64, not a chat attachment."

  /// The `image` of `generate`.
  let image: JSONValue

  /// - Throws: `wrong_recipe_input` for what cannot name a picture.
  init(_ text: String, _ settings: MCPSettings) throws(AtelierError) {
    if let address = PictureAddress(text) {
      image = ["generationId": .string(address.generation.rawValue), "index": .integer(address.index)]
    } else if text.hasPrefix("gen_"), !text.contains("/"), !text.contains(".") {
      image = ["generationId": .string(text)]
    } else if text.hasPrefix("data:") || text.hasPrefix("http://") || text.hasPrefix("https://") {
      throw AtelierError(
        .wrongRecipeInput, "Atelier takes the path of a file, not \(text.hasPrefix("data:") ? "data" : "an address on the web"). "
          + "Save the picture to a file first and give its path.")
    } else {
      let path = Self.absolutePath(text, settings)
      guard !path.isEmpty else {
        throw AtelierError(.wrongRecipeInput, "The address names no file. Give the absolute path of the picture.")
      }
      image = ["path": .string(path)]
    }
  }

  /// The path as the system needs it: models write `~`, `file://` and relative paths.
  static func absolutePath(_ text: String, _ settings: MCPSettings) -> String {
    if text.hasPrefix("file://") {
      let path = text.dropFirst("file://".count).drop { $0 != "/" }
      return withoutPercentEncoding(String(path)) ?? String(path)
    }
    if text.hasPrefix("/") { return text }
    if text == "~" || text.hasPrefix("~/"), let home = settings.home { return home + text.dropFirst() }
    let folder = settings.workingDirectory
    return (folder.hasSuffix("/") ? folder : folder + "/") + text
  }

  private static func withoutPercentEncoding(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self).lowercased()), decoded.count == 1 else {
        return nil
      }
      bytes += decoded
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

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
