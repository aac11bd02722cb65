import AtelierProtocol
import JSONRPC

extension ModelTurn {
  /// The turn of a candidate, to be given back when the conversation goes on (GEMINI 5): its content as it came,
  /// without thoughts, the picture cut out.
  /// - Parameter picture: the only result of the candidate.
  /// - Returns: nil when the file would not restore the very same text, or there are pictures that are not kept.
  init?(_ candidate: GeminiCandidate, picture: [UInt8]) {
    // Strict base64 is the only text of its bytes, so that encoding them again restores it.
    guard var content = candidate.content, let parts = content["parts"]?.array, candidate.pictures.count == 1,
      candidate.pictures[0].data.flatMap(Base64.decodedCount) == picture.count
    else { return nil }
    content["parts"] = .array(parts.filter { $0["thought"]?.bool != true }.map(Self.withoutPicture))
    self.init(json: .object(content))
  }

  private static func withoutPicture(_ part: JSONValue) -> JSONValue {
    guard var object = part.object, var blob = object["inlineData"]?.object, blob["data"] != nil else { return part }
    blob["data"] = .object([Self.pictureMember: 0])
    object["inlineData"] = .object(blob)
    return .object(object)
  }
}
