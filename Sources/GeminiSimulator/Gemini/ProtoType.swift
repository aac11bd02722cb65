/// The type of a field of a protocol buffer message, as far as its JSON form goes.
enum ProtoType: Sendable {
  case string
  case bytes
  case bool
  case int32
  case float
  /// Known by its name in ``ProtoMessage/all``.
  case message(String)
  /// Known by its name in ``ProtoEnumeration/all``.
  case enumeration(String)
  /// google.protobuf.Struct or Value: any JSON.
  case any
  /// An object of texts.
  case map
}
