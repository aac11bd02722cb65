import Glibc
import POSIX

/// Programs of the system that a command uses where they are installed.
enum Program {
  /// What such a program is told of the environment: the desktop, the terminal and the language, and never a key.
  private static let variables = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE", "TERM", "COLORTERM",
    "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LC_TERMINAL", "KITTY_WINDOW_ID", "TMUX", "COLUMNS", "LINES", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "XDG_DATA_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME",
    "BROWSER",
  ]

  /// The path of a program in `PATH`; nil when it is not there.
  static func path(of name: String, in path: String? = Environment.value(of: "PATH")) -> String? {
    (path ?? "").split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program to its end, without input; its output goes to that of this process.
  /// - Returns: its exit status; 128 and the number for a signal.
  /// - Throws: `SystemError`.
  static func run(_ path: String, _ arguments: [String]) async throws -> Int32 {
    try StandardOutput.shared.writeNow([])
    return try await DedicatedThread.run {
      try end(of: try spawn(path, arguments, output: STDOUT_FILENO, inOwnGroup: false), milliseconds: -1) ?? 0
    }
  }

  /// Starts a program that may stay, such as a viewer, without input and output.
  /// - Returns: false when it ended soon, and with another status than 0.
  /// - Throws: `SystemError`.
  static func start(_ path: String, _ arguments: [String]) async throws -> Bool {
    try await DedicatedThread.run {
      let status = try end(of: try spawn(path, arguments, output: nil, inOwnGroup: true), milliseconds: 3000)
      return status ?? 0 == 0
    }
  }

  private static func spawn(
    _ path: String, _ arguments: [String], output: Int32?, inOwnGroup: Bool
  ) throws(SystemError) -> pid_t {
    let nowhere = try FileDescriptor(owning: open("/dev/null", O_RDWR | O_CLOEXEC)).raised()
    // The numbers here must be higher than all of the child's.
    let output = try FileDescriptor(owning: dup(output ?? nowhere.number)).raised()
    return try PosixSpawn.start(
      path, arguments,
      environment: variables.compactMap { name in Environment.value(of: name).map { "\(name)=\($0)" } },
      descriptors: [(nowhere.number, STDIN_FILENO), (output.number, STDOUT_FILENO), (nowhere.number, STDERR_FILENO)],
      operation: "start \(path)", inOwnGroup: inOwnGroup)
  }

  /// - Parameter milliseconds: how long to wait; -1 for as long as it takes.
  /// - Returns: nil when it still runs.
  private static func end(of process: pid_t, milliseconds: Int32) throws(SystemError) -> Int32? {
    if let number = try ProcessDescriptor.open(process) {
      let descriptor = FileDescriptor(owning: number)
      var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, milliseconds) == 0 { return nil }
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }
}
