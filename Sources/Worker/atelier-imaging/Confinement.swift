import AtelierProtocol
import CConfinement
import Glibc

/// The restrictions that the worker applies before it reads its first byte.
///
/// In two steps, both while the process has one thread: Landlock and the namespaces hold only for threads that start
/// later. What libraries load is loaded between them.
enum Confinement {
  /// Enough for the largest picture that is decoded whole, 60 megapixels, in its costliest encoding; stops decompression
  /// bombs.
  private static let dataBytes: rlim_t = 768 << 20
  private static let addressSpaceBytes: rlim_t = 8 << 30
  private static let openFiles: rlim_t = 64
  /// The usual stack of a main thread, for which the decoders were written: the jobs run there.
  static let stackBytes = 8 << 20
  /// The processor time of one job; the main process's deadline is far shorter unless that process hangs.
  private static let jobSeconds: rlim_t = 60

  /// The only variables passed to the worker. Before adding one, decide whether a decoder may see it.
  private static let allowedVariables: Set<String> = ["LC_ALL", "MALLOC_ARENA_MAX"]

  /// Why the worker does not start, as a sentence.
  struct Failure: Error {
    var sentence: String
    init(_ sentence: String) { self.sentence = sentence }
  }

  /// The first step: gives up what no library needs.
  /// - Returns: whether the process is alone in its namespaces.
  static func enter(allowsDebugger: Bool) throws(Failure) -> Bool {
    guard inheritedVariables.isSubset(of: allowedVariables) else {
      throw Failure("atelier-imaging runs without an environment; it is started by atelier itself.")
    }
    // Containers and some distributions forbid it, and the filter of system calls covers the same ground.
    let hasNamespaces = confinement_enter_namespaces() == 0
    guard allowsDebugger || confinement_hide_memory() == 0 else { throw Failure("The worker cannot hide its memory.") }
    guard confinement_bind_to_parent() == 0 else { throw Failure("The worker cannot be bound to its parent.") }
    guard confinement_close_from(5) == 0, chdir("/") == 0 else {
      throw Failure("The worker cannot let go of what it inherited.")
    }
    // A write that would grow a file fails instead of killing the process: some libraries try one and do without.
    signal(SIGXFSZ, SIG_IGN)
    let limits: [(__rlimit_resource, rlim_t)] = [
      (RLIMIT_CORE, 0), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, openFiles), (RLIMIT_DATA, dataBytes),
      (RLIMIT_AS, addressSpaceBytes), (RLIMIT_STACK, rlim_t(stackBytes)),
    ]
    for (resource, most) in limits where !limit(__rlimit_resource_t(resource.rawValue), to: most) {
      throw Failure("The system does not let the worker limit its own resources.")
    }
    return hasNamespaces
  }

  /// The second step: closes the file system, and forbids the system calls that no job makes. Everything that the jobs
  /// need must be open and loaded.
  /// - Parameter hasNamespaces: the answer of ``enter(allowsDebugger:)``.
  /// - Returns: what was reached.
  static func complete(hasNamespaces: Bool) throws(Failure) -> WorkerConfinement {
    guard confinement_drop_capabilities() == 0 else { throw Failure("The worker cannot drop its capabilities.") }
    var confinement = WorkerConfinement(
      seccomp: false, landlockAbi: 0, dumpable: confinement_is_dumpable(), namespaces: hasNamespaces)
    // A crash handler of the Swift runtime would open files, which would look like a violation.
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { signal(fault, SIG_DFL) }
    // Without the filter, whose handler answers for files, libdispatch would not survive a closed file system.
    guard confinement_can_filter_system_calls() else { return confinement }
    confinement.landlockAbi = Int(confinement_close_file_system())
    // RLIMIT_NPROC counts all of the user's processes and would affect others; the filter forbids new ones instead.
    guard confinement_filter_system_calls() == 0 else {
      throw Failure("The system does not let the worker confine itself.")
    }
    confinement.seccomp = true
    return confinement
  }

  /// Grants the processor time for one more job. Exceeding it kills the process.
  static func allowJob() {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let used = rlim_t(max(0, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec))
    let processorTime = __rlimit_resource_t(RLIMIT_CPU.rawValue)
    var present = rlimit()
    getrlimit(processorTime, &present)
    var wanted = rlimit(rlim_cur: min(used + jobSeconds, present.rlim_max), rlim_max: present.rlim_max)
    setrlimit(processorTime, &wanted)
  }

  /// Whether the main thread has the usual stack: whoever started the process may have allowed less.
  static var hasUsualStack: Bool {
    var present = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &present) == 0 && present.rlim_cur >= stackBytes
  }

  private static func limit(_ resource: __rlimit_resource_t, to most: rlim_t) -> Bool {
    var present = rlimit()
    guard getrlimit(resource, &present) == 0 else { return false }
    let value = min(most, present.rlim_max)
    var wanted = rlimit(rlim_cur: value, rlim_max: value)
    return setrlimit(resource, &wanted) == 0
  }

  private static var inheritedVariables: Set<String> {
    var names: Set<String> = []
    var entry = environ
    // The C library keeps a nil-terminated vector of strings; nothing changes it this early.
    while let text = entry.pointee {
      names.insert(String(String(cString: text).prefix { $0 != "=" }))
      entry += 1
    }
    return names
  }
}
