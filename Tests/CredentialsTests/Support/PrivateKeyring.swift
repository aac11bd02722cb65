import Foundation
import Glibc
import POSIX
import Testing

@testable import Credentials

/// A session bus of a test's own with GNOME's keyring on it, unlocked, that nobody else can reach and that keeps its
/// secrets in a folder of its own.
final class PrivateKeyring: Sendable {
  private static let needed = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool"]

  /// What is missing to have one; empty when there is nothing.
  static let missing: [String] = needed.filter { path(of: $0) == nil }

  private static func path(of program: String) -> String? {
    ["/usr/bin", "/bin"].map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// What leads to it.
  let variables: [String: String]
  private let bus: Int32
  private let daemon: Int32?

  /// - Parameter folder: where it may keep its files.
  init(in folder: String) throws {
    for name in ["home", "run"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    var variables = ["HOME": "\(folder)/home", "XDG_RUNTIME_DIR": "\(folder)/run", "PATH": "/usr/bin:/bin"]
    let (bus, address) = try Self.startBus(variables)
    self.bus = bus
    variables["DBUS_SESSION_BUS_ADDRESS"] = address
    self.variables = variables
    // It goes on in the background once it is ready.
    try Self.run(
      "gnome-keyring-daemon", ["--unlock", "--components=secrets", "--daemonize"], input: "a password",
      environment: variables)
    let owner = try Self.send(
      "org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetConnectionUnixProcessID",
      ["string:org.freedesktop.secrets"], variables)
    daemon = owner.split(separator: " ").last.flatMap { Int32($0.filter(\.isNumber)) }
  }

  deinit {
    if let daemon { kill(daemon, SIGTERM) }
    kill(bus, SIGTERM)
    waitpid(bus, nil, 0)
  }

  /// Locks it, as when a screen is locked.
  func lock() throws {
    _ = try Self.send(
      "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
      ["array:objpath:/org/freedesktop/secrets/collection/login"], variables)
  }

  /// What it holds for `provider`, asked as another program would; empty when there is nothing.
  func secret(for provider: String) throws -> String {
    try Self.run("secret-tool", ["lookup", "service", "atelier", "provider", provider], environment: variables)
  }

  /// Puts a secret into it, as a person does by hand.
  func put(_ secret: String, _ attributes: [String]) throws {
    try Self.run("secret-tool", ["store", "--label=a secret"] + attributes, input: secret, environment: variables)
  }

  /// - Returns: its process, and how it is reached.
  private static func startBus(_ variables: [String: String]) throws -> (Int32, String) {
    let output = try PipeEnds()
    let nowhere = try FileDescriptor(owning: open("/dev/null", O_RDWR | O_CLOEXEC)).raised()
    let process = try PosixSpawn.start(
      try #require(path(of: "dbus-daemon")), ["--session", "--nofork", "--nopidfile", "--print-address=1"],
      environment: variables.map { "\($0)=\($1)" },
      descriptors: [(nowhere.number, 0), (output.writing.number, 1), (nowhere.number, 2)], operation: "start a bus")
    // Without an end of it here, a bus that could not start is the end of its output.
    let reading = output.intoReading()
    var address: [UInt8] = []
    while address.last != UInt8(ascii: "\n") { address += try BlockingIO.read(1, from: reading.number) }
    return (process, String(decoding: address.dropLast(), as: UTF8.self))
  }

  private static func send(
    _ destination: String, _ object: String, _ method: String, _ arguments: [String], _ variables: [String: String]
  ) throws -> String {
    try run(
      "dbus-send", ["--session", "--print-reply", "--dest=\(destination)", object, method] + arguments,
      environment: variables)
  }

  /// Runs a program to its end. Not with Foundation's `Process`, which waits for what goes on in the background as well.
  @discardableResult
  private static func run(
    _ program: String, _ arguments: [String], input: String = "", environment: [String: String]
  ) throws -> String {
    let run = ToolRun(
      executable: try #require(path(of: program)), arguments: arguments,
      environment: environment.map { "\($0)=\($1)" }, input: Array(input.utf8), milliseconds: 30_000)
    guard case .exited(_, let output) = try run.run() else { throw Failure(program: program) }
    return String(decoding: output, as: UTF8.self)
  }

  struct Failure: Error { var program: String }
}
