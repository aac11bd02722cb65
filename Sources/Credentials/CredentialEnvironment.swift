/// What the environment says about credentials: keys, and the way to the desktop's secret service. An empty variable
/// counts as absent.
public struct CredentialEnvironment: Sendable {
  private let values: [String: String]

  /// Keeps what is needed of an environment.
  /// - Parameter value: the value of a variable; nil when it is not set.
  public init(_ value: (_ name: String) -> String?) {
    var values: [String: String] = [:]
    for name in KeyedProvider.all.flatMap(\.environmentVariables) + Self.sessionVariables + ["PATH"] {
      if let text = value(name), !text.isEmpty { values[name] = text }
    }
    self.values = values
  }

  /// The variables that lead to the session's bus, and all that a program of the secret service is given.
  private static let sessionVariables = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME"]

  /// The first variable of `provider` that is set, with what it holds.
  func key(of provider: KeyedProvider) -> (variable: String, text: String)? {
    for name in provider.environmentVariables {
      if let text = values[name] { return (name, text) }
    }
    return nil
  }

  /// As `NAME=value`; no key is among them.
  var session: [String] {
    Self.sessionVariables.compactMap { name in values[name].map { "\(name)=\($0)" } }
  }

  var busAddress: String? { values["DBUS_SESSION_BUS_ADDRESS"] }
  var runtimeDirectory: String? { values["XDG_RUNTIME_DIR"] }

  /// The folders of the search path; relative ones are left out, because they would change with the working directory.
  var searchPath: [String] {
    (values["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }
}

extension CredentialEnvironment: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(values.keys.sorted())" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
