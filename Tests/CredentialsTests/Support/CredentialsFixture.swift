import AtelierProtocol
import Foundation
import Glibc
import Support
import Synchronization

@testable import Credentials

/// A folder of a test's own, with a data directory that is not there yet, and chains on it as so many processes have.
final class CredentialsFixture: Sendable {
  private let temporary: TemporaryDirectory
  private let milliseconds = Mutex<Int64>(1_000_000)

  init() throws { temporary = try TemporaryDirectory() }

  var path: String { temporary.path }
  var data: String { "\(path)/home/data" }
  var file: String { "\(data)/credentials.json" }

  /// Moves the clock of all chains.
  func advance(by step: Int64) { milliseconds.withLock { $0 += step } }

  /// A chain that knows nothing but these variables; without a tool there is no keyring.
  func chain(
    _ environment: [String: String] = [:], tool: FakeSecretTool? = nil, timeoutMs: Int = 10_000
  ) -> CredentialChain {
    var variables = environment
    if let tool { variables.merge(tool.variables) { $1 } }
    return CredentialChain(
      environment: CredentialEnvironment { variables[$0] }, directory: data, secretServiceTimeoutMs: timeoutMs,
      uptimeMs: { [self] in milliseconds.withLock { $0 } })
  }

  /// Writes the file of keys as somebody else might.
  func writeFile(_ text: String, permissions: mode_t = 0o600) throws {
    try makeData()
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    guard chmod(file, permissions) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  func makeData(permissions: Int = 0o700) throws {
    try FileManager.default.createDirectory(
      atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
  }

  func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  static func permissions(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }
}

extension CredentialChain {
  /// How one provider stands.
  func entry(_ provider: ProviderID) async -> CredentialsStatus.Entry? {
    await status(for: .operator).providers.first { $0.provider == provider }
  }
}

/// Keys that nobody has.
enum InventedKey {
  static let first = "an-invented-key-aaaa-1111"
  static let second = "an-invented-key-bbbb-2222"
  static let third = "an-invented-key-cccc-3333"
}
