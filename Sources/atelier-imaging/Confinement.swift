import CVips
import Glibc

/// The restrictions that the worker applies before it reads its first byte.
enum Confinement {
  /// Enough for the largest allowed picture, 60 megapixels, in its costliest encoding; stops decompression bombs.
  private static let dataBytes: rlim_t = 768 << 20
  private static let addressSpaceBytes: rlim_t = 8 << 30
  private static let openFiles: rlim_t = 64
  /// The processor time of one job; the main process's deadline is far shorter unless that process hangs.
  private static let jobSeconds: rlim_t = 60

  /// The only variables passed to the worker. Before adding one, decide whether a decoder may see it.
  private static let allowedVariables: Set<String> = ["LC_ALL", "MALLOC_ARENA_MAX"]

  /// - Returns: the restriction that failed, as a sentence; nil when the process is confined.
  static func enter() -> String? {
    guard inheritedVariables.isSubset(of: allowedVariables) else {
      return "atelier-imaging runs without an environment; it is started by atelier itself."
    }
    guard confinement_bind_to_parent() == 0 else { return "The worker cannot be bound to its parent." }
    guard confinement_close_from(5) == 0, chdir("/") == 0 else {
      return "The worker cannot let go of what it inherited."
    }
    // A write that would grow a file fails instead of killing the process: some libraries try one and do without.
    signal(SIGXFSZ, SIG_IGN)
    let limits: [(__rlimit_resource, rlim_t)] = [
      (RLIMIT_CORE, 0), (RLIMIT_FSIZE, 0), (RLIMIT_NOFILE, openFiles), (RLIMIT_DATA, dataBytes),
      (RLIMIT_AS, addressSpaceBytes),
    ]
    for (resource, most) in limits where !limit(__rlimit_resource_t(resource.rawValue), to: most) {
      return "The system does not let the worker limit its own resources."
    }
    // RLIMIT_NPROC counts all of the user's processes and would affect others; the filter forbids new ones instead.
    guard confinement_forbid_the_outside() == 0 || errno == ENOSYS || errno == EINVAL else {
      return "The system does not let the worker confine itself."
    }
    return nil
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
