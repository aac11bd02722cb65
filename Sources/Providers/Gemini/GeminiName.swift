import Credentials
import JSONRPC

/// A name of an enumeration of the API, such as `RESOURCE_EXHAUSTED`: short and plain enough to be told as it is.
struct GeminiName: Equatable {
  let text: String

  /// - Returns: nil for anything else, and for what looks like a key.
  init?(_ text: String, hiding key: APIKey) {
    guard (1...100).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || Self.others.contains($0) }),
      ProviderMessage(text, hiding: key)?.text == text
    else { return nil }
    self.text = text
  }

  var json: JSONValue { .string(text) }

  private static let others = Set("0123456789_-".utf8)
}
