import JSONRPC

extension JSONValue {
  /// The value as it goes on the wire, for messages of tests.
  var text: String { String(decoding: serialized(), as: UTF8.self) }
}
