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

  /// The first variable of `provider` that is set, with its value.
  func key(of provider: KeyedProvider) -> (variable: String, text: String)? {
    for name in provider.environmentVariables {
      if let text = values[name] { return (name, text) }
    }
    return nil
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
