import Encodings
import JSON

/// A model's answer, kept so that it can be sent back exactly as received when the conversation continues: signatures
/// unchanged, parts in order.
///
/// Its images are cut out because they are stored as files: in place of each, ``json`` has an object with the single
/// member `"$picture"`, the index of the image within the answer. Base64 of the file restores it.
public struct ModelTurn: Sendable, Equatable {
  public var json: JSONValue

  public init(json: JSONValue) {
    self.json = json
  }
}

extension ModelTurn {
  /// The name of the single member of an image placeholder.
  static let pictureMember = "$picture"

  /// The answer to send back to the model, exactly as the model gave it.
  /// - Parameter pictures: the image files of the answer, in order.
  /// - Returns: nil when one is missing.
  public func restored(pictures: [[UInt8]]) -> JSONValue? { Self.restored(json, pictures) }

  private static func restored(_ value: JSONValue, _ pictures: [[UInt8]]) -> JSONValue? {
    switch value {
    case .object(let object):
      if object.count == 1, let index = object[pictureMember]?.number?.integer(as: Int.self) {
        return pictures.indices.contains(index) ? .string(Base64.encoded(pictures[index])) : nil
      }
      var restoredObject = JSONObject()
      for (key, member) in object {
        guard let member = restored(member, pictures) else { return nil }
        restoredObject[key] = member
      }
      return .object(restoredObject)
    case .array(let array):
      var elements: [JSONValue] = []
      for element in array {
        guard let element = restored(element, pictures) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    default: return value
    }
  }
}
