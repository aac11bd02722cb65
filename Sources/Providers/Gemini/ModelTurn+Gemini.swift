import AtelierProtocol
import JSONRPC

extension ModelTurn {
  /// The turn of a candidate, to be given back when the conversation goes on (GEMINI 5): its content as it came,
  /// without thoughts, the picture cut out.
  /// - Parameter candidate: one whose picture is written in strict base64, the only text of its bytes, so that encoding
  ///   the file again restores it.
  /// - Returns: nil when there are pictures that are not kept.
  init?(_ candidate: GeminiCandidate) {
    guard var content = candidate.content, let parts = content["parts"]?.array, candidate.pictures.count == 1 else {
      return nil
    }
    content["parts"] = .array(parts.filter { $0["thought"]?.bool != true }.map(Self.withoutPicture))
    let json = JSONValue.object(content)
    self.init(json: candidate.body?.restored(json) ?? json)
  }

  private static func withoutPicture(_ part: JSONValue) -> JSONValue {
    guard var object = part.object, var blob = object["inlineData"]?.object, blob["data"] != nil else { return part }
    blob["data"] = .object([Self.pictureMember: 0])
    object["inlineData"] = .object(blob)
    return .object(object)
  }
}
