import Encodings
import JSON

/// Checks JSON against a message as Google's front end does, collecting everything that is wrong, and spells all names
/// in camelCase.
struct ProtoReader {
  private var violations: [(field: String, description: String)] = []

  /// - Returns: the message, its fields under their camelCase names.
  /// - Throws: ``GeminiError`` with a violation for every fault of the JSON.
  static func read(_ json: JSONValue, as message: String) throws(GeminiError) -> JSONObject {
    var reader = ProtoReader()
    let object = reader.message(json, message, at: "")
    guard reader.violations.isEmpty else { throw .badRequest(reader.violations) }
    return object ?? [:]
  }

  private mutating func message(_ json: JSONValue, _ name: String, at path: String) -> JSONObject? {
    guard let type = ProtoMessage.all[name] else { return json.object }
    guard let object = json.object else {
      complain(
        path, "(type.googleapis.com/google.ai.generativelanguage.v1beta.\(type.fullName)), \(Self.glimpse(json))")
      return nil
    }
    var result = JSONObject()
    var groups: [String: String] = [:]
    for (key, value) in object {
      guard let field = type.fields[key] else {
        let place = path.isEmpty ? "" : " at '\(path)'"
        violations.append(
          (path, "Invalid JSON payload received. Unknown name \"\(key)\"\(place): Cannot find field."))
        continue
      }
      // In JSON null is the same as leaving the field out.
      if value.isNull { continue }
      if let group = field.group, groups.updateValue(field.name, forKey: group) != nil {
        complain(path, "(oneof), oneof field '\(group)' is already set. Cannot set '\(field.name)'")
      }
      if result[field.name] != nil {
        complain(path, "Field '\(field.protoName)' is set twice, in both spellings")
      }
      result[field.name] = self.field(value, field, at: path.isEmpty ? field.protoName : "\(path).\(field.protoName)")
    }
    return result
  }

  private mutating func field(_ json: JSONValue, _ field: ProtoField, at path: String) -> JSONValue {
    guard field.isRepeated else { return value(json, field.type, at: path) }
    // A single value is taken for a list of one.
    guard let array = json.array else { return .array([value(json, field.type, at: path)]) }
    return .array(array.enumerated().map { value($1, field.type, at: "\(path)[\($0)]") })
  }

  private mutating func value(_ json: JSONValue, _ type: ProtoType, at path: String) -> JSONValue {
    switch type {
    case .message(let name): return message(json, name, at: path).map(JSONValue.object) ?? .null
    case .enumeration(let name): return enumerator(json, name, at: path)
    case .string: if json.string == nil { complain(path, "(TYPE_STRING), \(Self.glimpse(json))") }
    case .bool: if json.bool == nil { complain(path, "(TYPE_BOOL), \(Self.glimpse(json))") }
    case .int32:
      if Self.number(json)?.integer(as: Int32.self) == nil { complain(path, "(TYPE_INT32), \(Self.glimpse(json))") }
    case .float:
      if Self.number(json)?.double.isFinite != true { complain(path, "(TYPE_FLOAT), \(Self.glimpse(json))") }
    case .bytes: checkBytes(json, at: path)
    case .map: if json.object == nil { complain(path, "(Map), \(Self.glimpse(json))") }
    case .any: break
    }
    return json
  }

  /// Numbers may be written as texts.
  private static func number(_ json: JSONValue) -> JSONNumber? {
    json.number ?? json.string.flatMap { JSONNumber(text: $0) }
  }

  private mutating func checkBytes(_ json: JSONValue, at path: String) {
    guard let text = json.string else { return complain(path, "(TYPE_BYTES), \(Self.glimpse(json))") }
    if Base64.decodedLeniently(text) == nil {
      complain(
        path, "(TYPE_BYTES), Base64 decoding failed for \"\(text.prefix(40))\(text.utf8.count > 40 ? "…" : "")\"")
    }
  }

  private mutating func enumerator(_ json: JSONValue, _ name: String, at path: String) -> JSONValue {
    guard let type = ProtoEnumeration.all[name] else { return json }
    if let text = json.string, type.allows(text) { return .string(text.uppercased()) }
    // Numbers of values are taken as they are: which ones exist is not known here.
    if json.int64 == nil {
      complain(
        path, "(type.googleapis.com/google.ai.generativelanguage.v1beta.\(type.fullName)), \(Self.glimpse(json))")
    }
    return json
  }

  private mutating func complain(_ path: String, _ what: String) {
    violations.append((path, "Invalid value at '\(path)' \(what)"))
  }

  private static func glimpse(_ json: JSONValue) -> String {
    let text = json.serializedText
    return text.utf8.count > 80 ? String(text.prefix(80)) + "…" : text
  }
}
