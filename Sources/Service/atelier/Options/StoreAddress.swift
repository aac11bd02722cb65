import ArgumentParser
import Store

/// Where the password of a database on a server is, that a command line names.
struct StorePasswordOption: ParsableArguments {
  @Option(
    help: """
      The file with the password of the role in the address, which only its owner can read (ATELIER_STORE_PASSWORD comes \
      before it, the desktop's keyring after it).
      """,
    completion: .file())
  var passwordFile: String?
}

/// Addresses of databases on servers, as a command line has them. A password never stands there.
enum StoreAddress {
  static func isServer(_ text: String) -> Bool { text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") }

  /// The database that the configuration names.
  static func configured(_ settings: CommonSettings) async throws -> PostgreSQLServer? {
    try await ConfigurationSource(settings).locatingFaults { try $0.store?.server() }
  }

  /// - Parameter url: with the password's file of the configuration where that has the same address.
  /// - Throws: `CommandFailure` for what is no address.
  static func server(
    _ url: String, _ password: StorePasswordOption, _ settings: CommonSettings
  ) async throws -> PostgreSQLServer {
    let configured = try await ConfigurationSource(settings).file.store
    let file = password.passwordFile ?? (configured?.url == url ? configured?.passwordFile : nil)
    do {
      return try ConfigurationFile.StoreLocation(url: url, passwordFile: file).server()
    } catch let fault as ConfigurationFault {
      throw CommandFailure(
        sentence: "The \(fault.member == "store/url" ? "address" : "password file") \(fault.problem)",
        status: CommandFailure.wrongUsage)
    }
  }
}
