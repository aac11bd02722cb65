import AtelierProtocol
import Encodings
import JSON

/// What a model answered, kept so that it can be given back exactly as it came when the conversation goes on: signatures
/// letter for letter, parts in their order.
///
/// The pictures in it are cut out, for they are kept as files: where one stood, ``json`` has an object with the one
/// member `"$picture"`, the index of the picture among those of the answer. Base64 of the file restores it.
public struct ModelTurn: Sendable, Equatable {
  public var json: JSONValue

  public init(json: JSONValue) {
    self.json = json
  }
}

extension ModelTurn {
  /// The name of the one member of what stands where a picture was.
  static let pictureMember = "$picture"

  /// What the model is given back, to the letter what it said.
  /// - Parameter pictures: the files of the answer, in their order.
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
