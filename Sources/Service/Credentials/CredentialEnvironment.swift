/// The environment variables for credentials: keys, and the access to the desktop's secret service. An empty variable
/// counts as absent.
public struct CredentialEnvironment: Sendable {
  private let values: [String: String]

  /// Copies the variables that are needed.
  /// - Parameter value: the value of a variable; nil when it is not set.
  public init(_ value: (_ name: String) -> String?) {
    var values: [String: String] = [:]
    for name in KeyedProvider.all.flatMap(\.environmentVariables) + Self.sessionVariables + ["PATH"] {
      if let text = value(name), !text.isEmpty { values[name] = text }
    }
    self.values = values
  }

  /// The variables that locate the session bus; the only ones passed to the secret service program.
  private static let sessionVariables = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME"]

  /// What the variables of a provider hold.
  struct Lookup: Sendable {
    /// The first key, with its variable.
    var found: (variable: String, key: APIKey)?
    /// Why the first variable that is set before it holds none.
    var failure: CredentialFailure?
    /// The same for a person who has a key from elsewhere: the variable is passed over.
    var note: String?
  }

  /// Looks for the key of `provider`. A variable that holds no key hides no other one.
  func lookup(_ provider: KeyedProvider) -> Lookup {
    var lookup = Lookup()
    for name in provider.environmentVariables {
      guard let text = values[name] else { continue }
      let mistake = KeyMistake(text)
      if mistake == nil, let key = APIKey(text) {
        lookup.found = (name, key)
        return lookup
      }
      guard lookup.failure == nil else { continue }
      if let mistake {
        lookup.note = "The environment variable \(name) is passed over: it \(mistake.problem)."
        lookup.failure = CredentialFailure(
          .noApiKey, "The environment variable \(name) \(mistake.problem), and there is no other key. "
            + "Set it to the key alone and start again, or store a key with: atelier credentials set "
            + "\(provider.id.rawValue)",
          provider: provider.id, reason: .placeholder)
      } else {
        lookup.note = "The environment variable \(name) is passed over: it holds no API key."
        lookup.failure = CredentialFailure(
          .invalidApiKey,
          "The environment variable \(name) holds no API key: one has no blanks and only plain characters. "
            + "Set it anew and start again.", provider: provider.id)
      }
    }
    return lookup
  }

  /// As `NAME=value`; contains no keys.
  var session: [String] {
    Self.sessionVariables.compactMap { name in values[name].map { "\(name)=\($0)" } }
  }

  var busAddress: String? { values["DBUS_SESSION_BUS_ADDRESS"] }
  var runtimeDirectory: String? { values["XDG_RUNTIME_DIR"] }

  /// The folders of the search path; relative ones are omitted, because they depend on the working directory.
  var searchPath: [String] {
    (values["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }
}

extension CredentialEnvironment: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(values.keys.sorted())" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
