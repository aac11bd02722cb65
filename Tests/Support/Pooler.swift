import Foundation

/// A PgBouncer between the socket of a PostgreSQL server and a socket of its own, for as long as this object lives.
public final class Pooler {
  /// What its clients share.
  public enum Mode: String, CaseIterable, Sendable {
    case session, transaction, statement
  }

  private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  public static var isInstalled: Bool { program != nil }

  /// The number in the name of its socket.
  public static let port = 6432

  private let temporary: TemporaryDirectory
  private let process = Process()

  /// The folder of its socket.
  public var folder: String { temporary.path }

  /// - Parameters:
  ///   - server: the folder of the server's socket.
  ///   - users: those that may connect, without a password.
  ///   - settings: more lines of its configuration.
  public init(_ mode: Mode, before server: String, users: [String], settings: [String] = []) throws {
    temporary = try TemporaryDirectory()
    let list = users.map { "\"\($0)\" \"\"\n" }.joined()
    let configuration = """
      [databases]
      * = host=\(server) port=5432
      [pgbouncer]
      listen_port = \(Self.port)
      unix_socket_dir = \(temporary.path)
      auth_type = trust
      auth_file = \(try temporary.write("users", Array(list.utf8)))
      pool_mode = \(mode.rawValue)
      \(settings.joined(separator: "\n"))

      """
    let file = try temporary.write("pgbouncer.ini", Array(configuration.utf8))
    // It refuses to run as root.
    let isRoot = getuid() == 0
    if isRoot {
      for (path, permissions) in [(temporary.path, 0o777), (file, 0o644), (temporary.path("users"), 0o644)] {
        chmod(path, mode_t(permissions))
      }
    }
    process.executableURL = URL(fileURLWithPath: isRoot ? "/usr/sbin/runuser" : Self.program ?? "")
    process.arguments = (isRoot ? ["-u", "postgres", "--", Self.program ?? ""] : []) + ["-q", file]
    let log = try temporary.write("log", [])
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
    let socket = temporary.path(".s.PGSQL.\(Self.port)")
    while !FileManager.default.fileExists(atPath: socket) {
      guard process.isRunning else {
        throw PoolerFailed(log: (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
      }
      usleep(2_000)
    }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  struct PoolerFailed: Error {
    var log: String
  }
}
