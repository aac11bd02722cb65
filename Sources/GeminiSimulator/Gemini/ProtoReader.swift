import Encodings
import JSON

/// Checks JSON against a message of `gemini.json` as Google's front end does, collecting everything that is wrong, and
/// spells all names in camelCase.
struct ProtoReader {
  private var violations: [(field: String, description: String)] = []

  /// - Returns: the message, its fields under their camelCase names.
  /// - Throws: an error with a violation for every fault of the JSON.
  static func read(_ json: JSONValue, as message: String) throws(HTTPAnswer) -> JSONObject {
    var reader = ProtoReader()
    let object = reader.value(json, message, at: "")
    guard reader.violations.isEmpty else { throw .badRequest(reader.violations) }
    return object.object ?? [:]
  }

  /// As the .proto file has it.
  static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }

  /// The fields of every message by both spellings, with the name in camelCase.
  private static let messages = Resources.gemini.messages.mapValues { fields in
    fields.reduce(into: [String: (name: String, type: String)]()) { both, field in
      (both[field.key], both[snakeCase(field.key)]) = ((field.key, field.value), (field.key, field.value))
    }
  }

  private mutating func message(
    _ object: JSONObject, _ fields: [String: (name: String, type: String)], at path: String
  ) -> JSONValue {
    var result = JSONObject()
    var hasData = false
    for (key, value) in object {
      guard let field = fields[key] else {
        let place = path.isEmpty ? "" : " at '\(path)'"
        violations.append((path, "Invalid JSON payload received. Unknown name \"\(key)\"\(place): Cannot find field."))
        continue
      }
      // In JSON null is the same as leaving the field out.
      if value.isNull { continue }
      var type = field.type
      let protoName = Self.snakeCase(field.name)
      if type.hasPrefix("data ") {
        type.removeFirst(5)
        if hasData { complain(path, "(oneof), oneof field 'data' is already set. Cannot set '\(field.name)'") }
        hasData = true
      }
      if result[field.name] != nil { complain(path, "Field '\(protoName)' is set twice, in both spellings") }
      result[field.name] = list(value, type, at: path.isEmpty ? protoName : "\(path).\(protoName)")
    }
    return .object(result)
  }

  private mutating func list(_ json: JSONValue, _ type: String, at path: String) -> JSONValue {
    guard type.hasPrefix("[") else { return value(json, type, at: path) }
    let type = String(type.dropFirst().dropLast())
    // A single value is taken for a list of one.
    guard let array = json.array else { return .array([value(json, type, at: path)]) }
    return .array(array.enumerated().map { value($1, type, at: "\(path)[\($0)]") })
  }

  private mutating func value(_ json: JSONValue, _ type: String, at path: String) -> JSONValue {
    // Numbers may be written as texts.
    let number = json.number ?? json.string.flatMap { JSONNumber(text: $0) }
    var isGood = true
    switch type {
    case "any": break
    case "string": isGood = json.string != nil
    case "bool": isGood = json.bool != nil
    case "map": isGood = json.object != nil
    case "int32": isGood = number?.integer(as: Int32.self) != nil
    case "float": isGood = number?.double.isFinite == true
    case "bytes":
      isGood = json.string != nil
      if let text = json.string, Base64.decodedLeniently(text) == nil {
        let glimpse = text.prefix(40) + (text.utf8.count > 40 ? "…" : "")
        complain(path, "(TYPE_BYTES), Base64 decoding failed for \"\(glimpse)\"")
      }
    default:
      if let fields = Self.messages[type] {
        if let object = json.object { return message(object, fields, at: path) }
        isGood = false
      } else if let text = json.string?.uppercased(), Resources.gemini.enumerations[type]?.contains(text) == true {
        // Letters of either case are taken, as Google's front end does.
        return .string(text)
      } else {
        // Numbers of values are taken as they are: which ones exist is not known here.
        isGood = json.int64 != nil
      }
    }
    if !isGood { complain(path, "(\(Self.fullName(type))), \(Self.glimpse(json))") }
    return json
  }

  /// A type as error messages tell it.
  private static func fullName(_ type: String) -> String {
    if type == "map" { return "Map" }
    return type.first?.isLowercase == true
      ? "TYPE_\(type.uppercased())" : "type.googleapis.com/google.ai.generativelanguage.v1beta.\(type)"
  }

  private mutating func complain(_ path: String, _ what: String) {
    violations.append((path, "Invalid value at '\(path)' \(what)"))
  }

  private static func glimpse(_ json: JSONValue) -> String {
    let text = json.serializedText
    return text.utf8.count > 80 ? String(text.prefix(80)) + "…" : text
  }
}
