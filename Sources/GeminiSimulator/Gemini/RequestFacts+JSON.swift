import JSONRPC

extension RequestFacts {
  mutating func adopt(_ contents: GeminiContents) {
    prompt = contents.prompt
    turns = contents.turns
    images = contents.images
    thoughtSignatures = contents.signatures
  }

  /// The request, with the data of its pictures replaced by their length.
  static func withoutData(_ object: JSONObject) -> JSONObject {
    JSONObject(
      members: object.map { key, value in
        guard key == "inlineData", var blob = value.object, let data = blob["data"]?.string else {
          return (key, withoutData(value))
        }
        blob["data"] = .string("<\(data.utf8.count) letters>")
        return (key, .object(blob))
      })
  }

  private static func withoutData(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object): .object(withoutData(object))
    case .array(let array): .array(array.map(withoutData))
    default: value
    }
  }
}
