import Glibc

/// Swift wrapper for `posix_spawn`.
package enum PosixSpawn {
  /// Starts `executable`, by default in its own process group, with the given descriptors and no others, and with no
  /// signal blocked or ignored.
  /// - Parameters:
  ///   - descriptors: pairs of a descriptor in this process and its number in the child; the child's numbers run from
  ///     0 without a gap and are lower than all the numbers in this process.
  ///   - operation: the attempted operation, for the error: "start the imaging worker".
  ///   - inOwnGroup: false for a program that uses the terminal as this process does.
  package static func start(
    _ executable: String, _ arguments: [String], environment: [String], descriptors: [(Int32, Int32)],
    operation: String, inOwnGroup: Bool = true
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (here, there) in descriptors { posix_spawn_file_actions_adddup2(&actions, here, there) }
    closeOthers(from: Int32(descriptors.count), by: &actions)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0) | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    // Both vectors are copies that live until posix_spawn has returned; it keeps neither.
    var argumentVector = ([executable] + arguments).map { strdup($0) } + [nil]
    var environmentVector = environment.map { strdup($0) } + [nil]
    defer { for text in argumentVector + environmentVector { free(text) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, executable, &actions, &attributes, &argumentVector, &environmentVector)
    guard code == 0 else { throw SystemError(code: code, operation: operation) }
    OpenFileLimit.restore(in: identifier)
    return identifier
  }

  /// Makes the child close every descriptor from `number` on. Some descriptors of this process are not closed on
  /// `exec`: hosts leave some open, and libraries open others.
  package static func closeOthers(from number: Int32, by actions: inout posix_spawn_file_actions_t) {
    // The module map of the C library leaves this function out. The type is its declaration in <spawn.h> (glibc 2.34):
    // `int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int)`. The symbol is never unloaded.
    typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
    _ = unsafeBitCast(symbol, to: AddCloseFrom.self)(&actions, number)
  }
}
