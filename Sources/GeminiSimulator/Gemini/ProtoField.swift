/// A field of a message.
struct ProtoField: Sendable {
  /// As JSON has it, in camelCase.
  var name: String
  var type: ProtoType
  var isRepeated = false
  /// Fields of one group exclude each other.
  var group: String?

  /// As the .proto file has it.
  var protoName: String { Self.snakeCase(name) }

  static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      text += character.isUppercase ? "_" + character.lowercased() : String(character)
    }
  }
}
