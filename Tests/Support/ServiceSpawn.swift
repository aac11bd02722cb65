import Glibc
import POSIX

/// The C border to `posix_spawn`, for processes that tests start.
enum ServiceSpawn {
  /// Starts a program with three descriptors and no others.
  /// - Parameters:
  ///   - command: the program's path, then its arguments.
  ///   - environment: as `NAME=value`.
  ///   - streams: what its standard input, output and error are here.
  /// - Throws: `SystemError`.
  static func start(
    _ command: [String], environment: [String], streams: [Int32]
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    PosixSpawn.closeOthers(from: Int32(streams.count), by: &actions)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tests ignore SIGPIPE; the child is to have what a shell gives it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    // Copies that live until posix_spawn has returned; it keeps neither vector.
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, command[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemError(code: code, operation: "start \(command[0])") }
    return identifier
  }

  /// A pipe both ends of which are closed on `exec`.
  /// - Throws: `SystemError`.
  static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    // Closed on `exec` from the beginning: other tests start processes at the same moment. The module map of the C
    // library leaves pipe2 out; the type is its declaration, `int pipe2(int ends[2], int flags)`.
    typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    guard let symbol = dlsym(nil, "pipe2") else { throw SystemError(code: ENOSYS, operation: "make a pipe") }
    var ends: [Int32] = [-1, -1]
    guard unsafeBitCast(symbol, to: Pipe2.self)(&ends, O_CLOEXEC) == 0 else {
      throw SystemError(code: errno, operation: "make a pipe")
    }
    return (ends[0], ends[1])
  }
}
