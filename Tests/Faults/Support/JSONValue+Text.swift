import Foundation
import JSON

extension JSONValue {
  /// The value as it goes on the wire, for messages of tests.
  var text: String { String(decoding: serialized(), as: UTF8.self) }
}

extension String {
  /// Without the blanks and newlines round it.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
