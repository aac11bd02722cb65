import Encodings
import JSON

/// Checks JSON against a message of `gemini.json` as Google's front end does, collecting everything that is wrong, and
/// spells all names in camelCase.
struct ProtoReader {
  private struct Field {
    /// In camelCase, and as the .proto file has it.
    var (name, protoName): (String, String)
    var type: String
    var isRepeated: Bool
    /// Whether it excludes the others that are.
    var isData: Bool
  }

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

  /// The fields of every message by both spellings.
  private static let messages = Resources.gemini.messages.mapValues { fields in
    fields.reduce(into: [String: Field]()) { both, field in
      let isData = field.value.hasPrefix("data ")
      let type = isData ? field.value.dropFirst(5) : field.value[...]
      let isRepeated = type.hasPrefix("[")
      let read = Field(
        name: field.key, protoName: snakeCase(field.key), type: String(isRepeated ? type.dropFirst().dropLast() : type),
        isRepeated: isRepeated, isData: isData)
      (both[read.name], both[read.protoName]) = (read, read)
    }
  }

  /// The fields of a part of which it has one.
  static let dataFields = Set((messages["Part"] ?? [:]).values.filter(\.isData).map(\.name))

  private mutating func message(_ object: JSONObject, _ fields: [String: Field], at path: String) -> JSONValue {
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
      if field.isData, hasData {
        complain(path, "(oneof), oneof field 'data' is already set. Cannot set '\(field.name)'")
      }
      hasData = hasData || field.isData
      if result[field.name] != nil { complain(path, "Field '\(field.protoName)' is set twice, in both spellings") }
      let place = path.isEmpty ? field.protoName : "\(path).\(field.protoName)"
      if field.isRepeated, let array = value.array {
        let elements = array.enumerated().map { self.value($1, field.type, at: "\(place)[\($0)]") }
        result[field.name] = .array(elements)
      } else {
        // A single value is taken for a list of one.
        let single = self.value(value, field.type, at: place)
        result[field.name] = field.isRepeated ? [single] : single
      }
    }
    return .object(result)
  }

  private mutating func value(_ json: JSONValue, _ type: String, at path: String) -> JSONValue {
    if let fields = Self.messages[type], let object = json.object { return message(object, fields, at: path) }
    // Letters of either case are taken, as Google's front end does.
    if let values = Resources.gemini.enumerations[type], let text = json.string?.uppercased(), values.contains(text) {
      return .string(text)
    }
    if type == "bytes", let text = json.string, Base64.decodedLeniently(text) == nil {
      let glimpse = text.prefix(40) + (text.utf8.count > 40 ? "…" : "")
      complain(path, "(TYPE_BYTES), Base64 decoding failed for \"\(glimpse)\"")
    } else if !Self.is(json, type) {
      complain(path, "(\(Self.fullName(type))), \(json.serializedText.prefix(80))")
    }
    return json
  }

  /// Whether a value has a type that is no message.
  private static func `is`(_ json: JSONValue, _ type: String) -> Bool {
    // Numbers may be written as texts.
    let number = json.number ?? json.string.flatMap { JSONNumber(text: $0) }
    return switch type {
    case "any": true
    case "string", "bytes": json.string != nil
    case "bool": json.bool != nil
    case "map": json.object != nil
    case "int32": number?.integer(as: Int32.self) != nil
    case "float": number?.double.isFinite == true
    // Numbers of an enumeration's values are taken as they are: which ones exist is not known here.
    default: messages[type] == nil && json.int64 != nil
    }
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
}
