import Credentials
import Engine
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
  /// - Parameter configuration: tells how long work may take.
  /// - Throws: ``ConfigurationFault`` for what cannot be used. No sentence holds a part of the address.
  func server(_ configuration: EngineConfiguration) throws -> PostgreSQLServer {
    let address: PostgreSQLAddress
    do {
      address = try PostgreSQLAddress(parsing: url)
    } catch {
      throw ConfigurationFault("store/url", error.phrase)
    }
    var server = PostgreSQLServer(address: address)
    server.password = try Environment.value(of: "ATELIER_STORE_PASSWORD") ?? passwordFile.map(Self.password)
    server.leases.longestWork = .milliseconds(configuration.longestGenerationMs)
    return server
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
      let lines = String(decoding: try FileSystem.read(path), as: UTF8.self).split(whereSeparator: \.isNewline)
      guard lines.count == 1 else { throw ConfigurationFault(member, "must be a file of one line.") }
      return String(lines[0])
    } catch let failure as FileFailure {
      throw ConfigurationFault(member, "cannot be read: \(failure.sentence)")
    }
  }
}

extension PostgreSQLServer {
  /// The same with the password that the desktop's keyring has, where no other place named one. Asked for when the database
  /// is opened, not before: a keyring may take seconds, and may be unlocked while the service runs.
  func withKeyring() async -> PostgreSQLServer {
    guard password == nil, !address.isSocket else { return self }
    var server = self
    // Without the threads to ask it, the server says what it lacks.
    server.password = try? await LazyThreadPool.shared.run { [address] in
      StorePassword.inKeyring(of: address.user) { name in Environment.value(of: name) }
    }
    return server
  }
}
