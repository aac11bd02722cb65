import Glibc
import POSIX

/// A command at a terminal of its own, and a person who does one thing when asked.
struct TerminalConversation: Sendable {
  /// What the person does.
  enum Deed: Sendable {
    case type(String)
    /// Somebody else ends the command.
    case signal(Int32)
  }

  struct Outcome: Sendable {
    /// Everything that was to be seen.
    var screen: String
    /// Whether the terminal showed what is typed, while the command asked and after it had ended.
    var showedWhileAsking: Bool
    var showsAfterwards: Bool
    /// Whether it takes its keys that stop and quit a command again.
    var takesSignalsAfterwards: Bool
    /// What the command ended with; for a signal its number and 128.
    var status: Int32
  }

  struct Failure: Error { var reason: String }

  /// The command's path, then its arguments.
  var command: [String]
  var environment: [String: String]
  /// The person waits for these words.
  var prompt: String
  var deed: Deed
  /// The width of the terminal; 0 for one that does not tell it.
  var columns: UInt16 = 0

  /// Has the conversation, on a thread of its own.
  func run() async throws -> Outcome {
    try await DedicatedThread.run { try haveIt() }
  }

  private func haveIt() throws -> Outcome {
    var (terminalEnd, deviceEnd): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&terminalEnd, &deviceEnd, nil, nil, &size) == 0 else {
      throw Failure(reason: "there is no terminal to be had")
    }
    // Raised, so that no child inherits them.
    let terminal = try FileDescriptor(owning: terminalEnd).raised()
    // As long as it is open here, the terminal and its settings stay.
    let device = try FileDescriptor(owning: deviceEnd).raised()
    let path = try Self.path(of: device)
    let before = try Self.settings(of: device)
    let process = try start(on: path)
    var screen = try Self.read(terminal, until: prompt)
    let asking = try Self.settings(of: device)
    switch deed {
    case .type(let text): try BlockingIO.write(Array(text.utf8), to: terminal.number)
    case .signal(let number): kill(process, number)
    }
    let status = try Self.end(of: process)
    screen += Self.rest(of: terminal)
    let after = try Self.settings(of: device)
    let signalKeys = [Int(VQUIT), Int(VSUSP)]
    return Outcome(
      screen: screen, showedWhileAsking: asking.c_lflag & tcflag_t(ECHO) != 0,
      showsAfterwards: after.c_lflag == before.c_lflag && after.c_lflag & tcflag_t(ECHO) != 0,
      takesSignalsAfterwards: signalKeys.allSatisfy { Self.key($0, of: after) == Self.key($0, of: before) },
      status: status)
  }

  /// Starts the command in a session of its own, whose terminal the first one it opens becomes.
  private func start(on path: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
    for number in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, number) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This thread blocks every signal, which the command must not inherit.
    posix_spawnattr_setflags(
      &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Copies that live until posix_spawn has returned; it keeps neither vector.
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw Failure(reason: String(cString: strerror(code))) }
    return process
  }

  /// POSIX_SPAWN_SETSID, which the module map of the C library leaves out.
  private static let newSession: Int16 = 0x80

  private static func path(of device: borrowing FileDescriptor) throws -> String {
    var name = [CChar](repeating: 0, count: 128)
    guard ttyname_r(device.number, &name, name.count) == 0 else { throw Failure(reason: "the terminal has no name") }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Five minutes are given to what takes milliseconds; they are only there so that nothing hangs.
  private static let guardMilliseconds: Int32 = 300_000

  private static func read(_ terminal: borrowing FileDescriptor, until words: String) throws -> String {
    var text = ""
    while !text.contains(words) {
      var entry = pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, guardMilliseconds) == 1 else { throw Failure(reason: "it never asked, but said: \(text)") }
      text += chunk(of: terminal)
    }
    return text
  }

  private static func rest(of terminal: borrowing FileDescriptor) -> String {
    _ = fcntl(terminal.number, F_SETFL, O_NONBLOCK)
    var text = ""
    while true {
      let chunk = chunk(of: terminal)
      if chunk.isEmpty { return text }
      text += chunk
    }
  }

  private static func chunk(of terminal: borrowing FileDescriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(terminal.number, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func end(of process: pid_t) throws -> Int32 {
    guard let number = try ProcessDescriptor.open(process) else { throw Failure(reason: "it was never there") }
    let descriptor = FileDescriptor(owning: number)
    var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, guardMilliseconds) == 1 else { throw Failure(reason: "it does not end") }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  private static func settings(of device: borrowing FileDescriptor) throws -> termios {
    var settings = termios()
    guard tcgetattr(device.number, &settings) == 0 else { throw Failure(reason: "the terminal has no settings") }
    return settings
  }

  private static func key(_ index: Int, of settings: termios) -> UInt8 {
    // The array is that of termios(3), and the indices are its own.
    withUnsafeBytes(of: settings.c_cc) { $0[index] }
  }
}
