import Credentials
import POSIX
import Store

extension ConfigurationFile {
  /// Where history, queue and ledger are, in place of a file in the data directory.
  struct StoreLocation: Codable, Sendable, Equatable {
    /// The address of a PostgreSQL database, which any number of machines share: `postgresql://USER@HOST/DATABASE`.
    var url: String
    /// The path of the file that holds the password and nothing else. ATELIER_STORE_PASSWORD comes before it, and the
    /// desktop's keyring after it.
    var passwordFile: String?
  }
}

extension ConfigurationFile.StoreLocation {
  /// - Throws: ``ConfigurationFault`` for what cannot be used. No sentence holds a part of the address.
  func server() throws -> PostgreSQLServer {
    let address: PostgreSQLAddress
    do {
      address = try PostgreSQLAddress(parsing: url)
    } catch {
      throw ConfigurationFault("store/url", error.phrase)
    }
    var server = PostgreSQLServer(address: address)
    server.password = try password(of: address)
    return server
  }

  /// What is in a file or in the keyring may be changed while a service runs. The keyring is asked when the database is
  /// opened, not before: it may take seconds, and may be unlocked while the service runs.
  private func password(of address: PostgreSQLAddress) throws -> RenewableSecret<String?> {
    if let password = Environment.value(of: "ATELIER_STORE_PASSWORD") { return RenewableSecret(constant: password) }
    if passwordFile == nil, address.isSocket { return RenewableSecret(constant: nil) }
    let secret = RenewableSecret<String?>(
      files: [passwordFile].compactMap(\.self), nowMs: { EngineAssembly.now().milliseconds },
      uptimeMs: { EngineAssembly.uptimeMs() }
    ) { [passwordFile] in
      if let passwordFile { return try Self.password(in: passwordFile) }
      return StorePassword.inKeyring(of: address.user) { name in Environment.value(of: name) }
    }
    if passwordFile != nil { _ = try secret.current() }
    return secret
  }

  private static func password(in path: String) throws -> String {
    let member = "store/passwordFile"
    do {
      guard let status = try FileStatus(path: path, followingLinks: true), status.isRegularFile else {
        throw ConfigurationFault(member, "must be the path of a file, which “\(path)” is not.")
      }
      guard !status.isShared else {
        throw ConfigurationFault(
          member, "must be a file that only its owner can read. Close it with: chmod 600 '\(path)'")
      }
      let text = try FileSystem.readText(try FileSystem.resolved(path))
      let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
      guard lines.count == 1 else { throw ConfigurationFault(member, "must be a file of one line.") }
      return String(lines[0])
    } catch let failure as FileFailure {
      throw ConfigurationFault(member, "cannot be read: \(failure.sentence)")
    }
  }
}
