import AtelierProtocol
import Glibc

/// The desktop's keyring, accessed through libsecret's `secret-tool`: no library to link, nothing to load at start.
///
/// A key is passed to the program on its standard input and read from its standard output; its arguments and its
/// environment never contain one. Every call blocks, for at most `milliseconds`.
struct SecretService: Sendable {
  let environment: CredentialEnvironment
  /// The time limit for the program. A keyring may ask a person for a password, and nobody may be there.
  let milliseconds: Int32

  init(environment: CredentialEnvironment, milliseconds: Int32 = Int32(CredentialChain.secretServiceTimeoutMs)) {
    (self.environment, self.milliseconds) = (environment, milliseconds)
  }

  /// Looks up the key of `provider` without ever making a locked keyring prompt a person: hosts query the state of
  /// their providers often, and each query would open a window.
  func answer(for provider: ProviderID) -> SecretServiceAnswer {
    // `search` distinguishes locked from absent, which `lookup` does not; and `lookup` unlocks.
    switch run(["search"] + attributes(of: provider)) {
    case nil: .notThere
    case .exited(0, let output): Self.answer(in: output)
    case .overdue: .overdue
    case .exited, .crashed: .failed
    }
  }

  /// What is stored under a name that is no provider's, such as the key of a bucket.
  /// - Parameter user: whose it is, where several users may have one.
  /// - Returns: nil when there is nothing, or it cannot be read now.
  func text(of name: String, user: String? = nil) -> String? {
    let more = user.map { ["user", $0] } ?? []
    guard case .exited(0, let output)? = run(["search"] + attributes(of: ProviderID(rawValue: name)) + more) else {
      return nil
    }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix(Self.secretPrefix) }.map { String($0.dropFirst(Self.secretPrefix.count)) }
  }

  /// Stores `key`, replacing any existing one.
  /// - Returns: the result of a lookup afterwards: `found` with this very key on success.
  func store(_ key: APIKey, for provider: ProviderID) -> SecretServiceAnswer {
    let label = "--label=Atelier: API key for \(provider.rawValue)"
    switch run(["store", label] + attributes(of: provider), input: key.text) {
    case nil: return .notThere
    // The key counts as stored only if it can be read back.
    case .exited(0, _): return answer(for: provider)
    case .overdue: return .overdue
    case .exited, .crashed: return .failed
    }
  }

  /// Deletes the key of `provider`.
  /// - Returns: the result of a lookup afterwards: `absent` on success.
  func clear(_ provider: ProviderID) -> SecretServiceAnswer {
    if run(["clear"] + attributes(of: provider)) == .overdue { return .overdue }
    return answer(for: provider)
  }

  private func attributes(of provider: ProviderID) -> [String] { ["service", "atelier", "provider", provider.rawValue] }

  /// - Returns: nil when there is no session bus or no program.
  private func run(_ arguments: [String], input: String = "") -> ToolRun.End? {
    guard hasBus, let tool = Self.locate("secret-tool", in: environment.searchPath) else { return nil }
    let run = ToolRun(
      executable: tool, arguments: arguments, environment: environment.session, input: Array(input.utf8),
      milliseconds: milliseconds)
    do { return try run.run() } catch { return .crashed }
  }

  private var hasBus: Bool {
    if environment.busAddress != nil { return true }
    guard let directory = environment.runtimeDirectory else { return false }
    return access("\(directory)/bus", F_OK) == 0
  }

  /// Searched for on each call: it costs microseconds, and the package may be installed while the service runs.
  private static func locate(_ name: String, in searchPath: [String]) -> String? {
    searchPath.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Parses the output of `search`: empty when there is no key, otherwise a line `[name]` and lines `member = value`,
  /// which include the secret unless it is locked.
  private static func answer(in output: [UInt8]) -> SecretServiceAnswer {
    let text = String(decoding: output, as: UTF8.self)
    let lines = text.split(separator: "\n")
    guard lines.contains(where: { $0.hasPrefix("[") }) else { return lines.isEmpty ? .absent : .failed }
    guard let line = lines.first(where: { $0.hasPrefix(secretPrefix) }) else { return .locked }
    let secret = String(line.dropFirst(secretPrefix.count))
    guard KeyMistake(secret) == nil, let key = APIKey(secret) else { return .unusable }
    return .found(key)
  }

  private static let secretPrefix = "secret = "
}

/// The secret service's answer about a key.
enum SecretServiceAnswer: Equatable {
  case found(APIKey)
  /// The stored value is not an API key.
  case unusable
  /// A key exists, but the keyring is locked.
  case locked
  case absent
  /// There is no session bus, or no program to access it.
  case notThere
  /// The secret service refused, or no service answers on the bus.
  case failed
  /// The secret service did not answer in time.
  case overdue

  /// True when a value is stored, whether or not it can be read.
  var isPresent: Bool {
    switch self {
    case .found, .unusable, .locked: true
    case .absent, .notThere, .failed, .overdue: false
    }
  }
}
