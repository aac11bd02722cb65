import AtelierProtocol
import Glibc
import POSIX

/// The desktop's keyring, accessed through libsecret's `secret-tool`: no library to link, nothing to load at start.
///
/// A key is passed to the program on its standard input and read from its standard output; its arguments and its
/// environment never contain one. Every call blocks, for at most `milliseconds`.
struct SecretService: Sendable {
  let environment: CredentialEnvironment
  /// The time limit for the program. A keyring may ask a person for a password, and nobody may be there.
  let milliseconds: Int32

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

/// One run of a small program with text input, text output and a time limit.
///
/// The input is written before the program starts, and the output is read after it has ended, so neither may exceed
/// the capacity of a pipe; for the input that is at least one page.
struct ToolRun {
  enum End: Equatable {
    /// The program exited with this status, after writing this to its standard output.
    case exited(status: Int32, output: [UInt8])
    /// A signal ended the program.
    case crashed
    /// The program did not end in time and was killed, with its whole process group.
    case overdue
  }

  let executable: String
  var arguments: [String]
  /// As `NAME=value`; nothing else is inherited.
  var environment: [String]
  var input: [UInt8] = []
  /// The time limit.
  var milliseconds: Int32

  /// Runs the program; blocks until it has ended. Its standard error is discarded.
  /// - Throws: `SystemError` when it cannot be started or watched.
  func run() throws(SystemError) -> End {
    let output = try PipeEnds()
    let identifier = try start(writingTo: output.writing)
    let hasEnded = Result { () throws(SystemError) in try waitForEnd(identifier) }
    // Not reaped yet, so the id still belongs to this child, whatever its state.
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
    // Nobody reads yet: input that does not fit must cause an error instead of blocking.
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

  /// - Returns: false when the time limit has passed.
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
    // The writing end is open here, and perhaps in a process the program left behind: the end may never come.
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
