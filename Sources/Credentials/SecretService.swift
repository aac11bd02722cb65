import AtelierProtocol
import Glibc
import POSIX

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

/// What the desktop's secret service says of a key.
enum SecretServiceAnswer: Equatable {
  case found(APIKey)
  /// Something is kept under the name that is no API key.
  case unusable
  /// There is one, in a keyring that is locked.
  case locked
  case absent
  /// There is no session bus, or no program to ask it with.
  case notThere
  /// It refused, or nobody answers on the bus.
  case failed
  /// It did not answer in time.
  case overdue

  /// True when something is kept under the name, whether or not it can be had.
  var isPresent: Bool {
    switch self {
    case .found, .unusable, .locked: true
    case .absent, .notThere, .failed, .overdue: false
    }
  }
}

/// One run of a small program: a text in, a text out, and an end within a time.
///
/// The text goes in before the program starts, and what comes out is read when it has ended, so neither may be longer
/// than a pipe holds; that is a page at least for what goes in.
struct ToolRun {
  enum End: Equatable {
    /// It ended by itself, with this status, having written this to its standard output.
    case exited(status: Int32, output: [UInt8])
    /// It ended by a signal.
    case crashed
    /// It did not end in time and was killed, with everything it had started in its process group.
    case overdue
  }

  let executable: String
  var arguments: [String]
  /// As `NAME=value`; nothing else is inherited.
  var environment: [String]
  var input: [UInt8] = []
  /// How long it may take.
  var milliseconds: Int32

  /// Runs the program; blocks until it has ended. What it writes to its standard error is thrown away.
  /// - Throws: `SystemError` when it cannot be started or watched.
  func run() throws(SystemError) -> End {
    let output = try PipeEnds()
    let identifier = try start(writingTo: output.writing)
    let hasEnded = Result { () throws(SystemError) in try waitForEnd(identifier) }
    // Not collected yet, so the id is still this child's, whatever became of it.
    if hasEnded != .success(true), kill(-identifier, SIGKILL) != 0 { kill(identifier, SIGKILL) }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    guard try hasEnded.get() else { return .overdue }
    guard status & 0x7f == 0 else { return .crashed }
    return .exited(status: (status >> 8) & 0xff, output: Self.contents(of: output.reading))
  }

  private func start(writingTo output: borrowing FileDescriptor) throws(SystemError) -> pid_t {
    let input = try PipeEnds()
    let nowhere = try FileDescriptor(owning: open("/dev/null", O_WRONLY | O_CLOEXEC)).raised()
    // Nobody reads yet: a text that does not fit must be an error and not a wait.
    guard fcntl(input.writing.number, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemError(code: errno, operation: "make a pipe non-blocking")
    }
    do { try BlockingIO.write(self.input, to: input.writing.number) } catch {
      throw SystemError(code: error.code, operation: "write to a program")
    }
    return try PosixSpawn.start(
      executable, arguments, environment: environment,
      descriptors: [
        (input.reading.number, STDIN_FILENO), (output.number, STDOUT_FILENO), (nowhere.number, STDERR_FILENO),
      ], operation: "start a program")
  }

  /// - Returns: false when the time is up.
  private func waitForEnd(_ identifier: pid_t) throws(SystemError) -> Bool {
    guard let number = try ProcessDescriptor.open(identifier) else { return true }
    let process = FileDescriptor(owning: number)
    var entry = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, milliseconds)
      if count >= 0 { return count > 0 }
      guard errno == EINTR else { throw SystemError(code: errno, operation: "wait for a program") }
    }
  }

  private static func contents(of output: borrowing FileDescriptor) -> [UInt8] {
    // The writing end is open here, and perhaps in something the program left behind: there may be no end to wait for.
    guard fcntl(output.number, F_SETFL, O_NONBLOCK) == 0 else { return [] }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output.number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}

extension ToolRun: CustomStringConvertible, CustomReflectable {
  var description: String { executable }
  var customMirror: Mirror { Mirror(self, children: []) }
}
