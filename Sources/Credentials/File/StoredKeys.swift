import AtelierProtocol
import JSONRPC

/// What the file of keys says, as a value: `{"version": 1, "keys": {"gemini": {"key": "…"}}}`.
///
/// What belongs to providers this version does not know is kept as it is.
struct StoredKeys: Sendable, Equatable {
  /// One provider's key.
  struct Entry: Sendable, Equatable {
    var key: APIKey
    /// True when the keyring was there but did not take the key, and may hold an older one.
    var isNewerThanSecretService = false
  }

  private static let version: JSONValue = 1
  private var keys: JSONObject = [:]

  init() {}

  /// - Returns: nil when this is not what Atelier writes; a key that is none in an entry counts as well.
  init?(parsing bytes: [UInt8]) {
    guard let object = try? JSONValue(parsing: bytes).object, object["version"] == Self.version,
      let keys = object["keys"]?.object
    else { return nil }
    self.keys = keys
    for provider in KeyedProvider.all where keys[provider.id.rawValue] != nil {
      guard self[provider.id] != nil else { return nil }
    }
  }

  subscript(provider: ProviderID) -> Entry? {
    get {
      guard let members = keys[provider.rawValue]?.object, let text = members["key"]?.string, let key = APIKey(text)
      else { return nil }
      return Entry(key: key, isNewerThanSecretService: members["newerThanSecretService"] == true)
    }
    set {
      keys[provider.rawValue] = newValue.map { entry in
        var members: JSONObject = ["key": .string(entry.key.text)]
        if entry.isNewerThanSecretService { members["newerThanSecretService"] = true }
        return .object(members)
      }
    }
  }

  var serialized: [UInt8] {
    JSONValue.object(["version": Self.version, "keys": .object(keys)]).serialized() + [UInt8(ascii: "\n")]
  }
}

extension StoredKeys: CustomStringConvertible, CustomReflectable {
  var description: String { "\(keys.keys)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
