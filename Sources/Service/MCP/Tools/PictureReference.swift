import AtelierProtocol
import Encodings
import Imaging
import JSON
import Localization

/// How the tools are given a picture: a path, a picture of an earlier generation, or the picture itself.
struct PictureReference: Sendable {
  static let description =
    "An absolute path such as /home/anna/photo.jpg, or an earlier result: its generation id (gen_…) or its "
    + "atelier://pictures/… address. A data: URL is read too. Not an address on the web, not a chat attachment."

  /// The `image` of `generate`.
  let image: JSONValue

  /// - Throws: `wrong_recipe_input` for what cannot name a picture.
  init(_ text: String, _ settings: MCPSettings) throws(AtelierError) {
    if let address = PictureAddress(text) {
      image = ["generationId": .string(address.generation.rawValue), "index": .integer(address.index)]
    } else if text.hasPrefix("gen_"), !text.contains("/"), !text.contains(".") {
      image = ["generationId": .string(text)]
    } else if DataURL.begins(text.utf8) {
      guard let bytes = DataURL(Array(text.utf8)[...])?.bytes, !bytes.isEmpty else {
        throw AtelierError(
          .wrongRecipeInput, "The data: URL holds no picture that can be read: it was cut off, or is not base64. "
            + "Save the picture to a file and give its path.")
      }
      image = ["data": .string(Base64.encoded(bytes))]
    } else if ["http://", "https://"].contains(where: text.lowercased().hasPrefix) {
      throw AtelierError(
        .wrongRecipeInput, "Atelier takes the path of a file, not an address on the web. "
          + "Save the picture to a file first and give its path.")
    } else {
      // What names a photo elsewhere stays as it is, for the sentence that says so.
      let isHere = text.hasPrefix("~") || text.hasPrefix("file://") || !PhotoFile.isForeign(text)
      let path = isHere ? Self.absolutePath(text, settings) : text
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
      return String(validating: PercentEncoding.decoded(Array(path.utf8)[...]), as: UTF8.self) ?? String(path)
    }
    if text.hasPrefix("/") { return text }
    if text == "~" || text.hasPrefix("~/"), let home = settings.home { return home + text.dropFirst() }
    let folder = settings.workingDirectory
    return (folder.hasSuffix("/") ? folder : folder + "/") + text
  }
}
