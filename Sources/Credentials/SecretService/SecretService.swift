import AtelierProtocol
import Glibc
import JSONRPC

/// The desktop's keyring, reached through libsecret's `secret-tool`: no library to link, nothing to load at start.
///
/// A key goes to the program on its standard input and comes from its standard output; neither its arguments nor its
/// environment ever hold one. Every call blocks, for as long as `milliseconds` at most.
struct SecretService: Sendable {
  let environment: CredentialEnvironment
  /// How long the program may take. A keyring may ask a person for a password, and there may be nobody.
  let milliseconds: Int32

  /// Asks for the key of `provider`, and never makes a locked keyring ask a person: hosts ask for the state of their
  /// providers often, and each time a window would open.
  func answer(for provider: ProviderID) -> SecretServiceAnswer {
    // `search` tells what is locked from what is absent, which `lookup` does not; and `lookup` unlocks.
    switch run(["search"] + attributes(of: provider)) {
    case nil: .notThere
    case .exited(0, let output): Self.answer(in: output)
    case .overdue: .overdue
    case .exited, .crashed: .failed
    }
  }

  /// Keeps `key`, in the place of the one there was.
  /// - Returns: the answer for the key afterwards: `found` with this very key when all is well.
  func store(_ key: APIKey, for provider: ProviderID) -> SecretServiceAnswer {
    let label = "--label=Atelier: API key for \(provider.rawValue)"
    switch run(["store", label] + attributes(of: provider), input: key.text) {
    case nil: return .notThere
    // Only what comes back was kept.
    case .exited(0, _): return answer(for: provider)
    case .overdue: return .overdue
    case .exited, .crashed: return .failed
    }
  }

  /// Forgets the key of `provider`.
  /// - Returns: the answer for the key afterwards: `absent` when all is well.
  func clear(_ provider: ProviderID) -> SecretServiceAnswer {
    if run(["clear"] + attributes(of: provider)) == .overdue { return .overdue }
    return answer(for: provider)
  }

  private func attributes(of provider: ProviderID) -> [String] { ["service", "atelier", "provider", provider.rawValue] }

  /// - Returns: nil when there is nobody to ask.
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

  /// Looked for each time: it costs microseconds, and the package may be installed while the service runs.
  private static func locate(_ name: String, in searchPath: [String]) -> String? {
    searchPath.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// What `search` writes: nothing when there is nothing, else a line `[name]` and lines `member = value`, among them
  /// the secret unless it is locked.
  private static func answer(in output: [UInt8]) -> SecretServiceAnswer {
    let text = String(decoding: output, as: UTF8.self)
    let lines = text.split(separator: "\n")
    guard lines.contains(where: { $0.hasPrefix("[") }) else { return lines.isEmpty ? .absent : .failed }
    guard let line = lines.first(where: { $0.hasPrefix(secretPrefix) }) else { return .locked }
    guard let key = APIKey(String(line.dropFirst(secretPrefix.count))) else { return .unusable }
    return .found(key)
  }

  private static let secretPrefix = "secret = "
}
