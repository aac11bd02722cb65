/// A type of message: its fields by their names in JSON, both spellings.
struct ProtoMessage: Sendable {
  /// As error messages name it.
  var fullName: String
  var fields: [String: ProtoField]

  init(_ fullName: String, _ fields: [ProtoField]) {
    self.fullName = fullName
    self.fields = [:]
    for field in fields {
      self.fields[field.name] = field
      self.fields[field.protoName] = field
    }
  }
}
