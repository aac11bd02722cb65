import Glibc
import Synchronization

/// How many files and connections a process may have open at a time (`RLIMIT_NOFILE`).
///
/// The usual soft limit of 1,024 protects programs that call `select`, which nothing here does: a service with a
/// thousand requests needs more.
package enum OpenFileLimit {
  /// Enough for every request that a process takes at a time, with its connection and its files.
  package static let wanted: rlim_t = 65_536

  /// The limit that this process was started with; nil while it is unchanged.
  private static let inherited = Mutex<rlimit?>(nil)

  /// Raises the soft limit of this process, as far as its hard limit allows. Where the system refuses, everything works
  /// as before, with fewer requests at a time.
  package static func raise(to wanted: rlim_t = wanted) {
    guard let before = current, before.rlim_cur < wanted, before.rlim_cur < before.rlim_max else { return }
    var raised = before
    raised.rlim_cur = min(wanted, before.rlim_max)
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
      inherited.withLock { $0 = $0 ?? before }
    }
  }

  /// The limit of this process; nil when the system does not tell.
  package static var current: rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
  }

  /// Gives a program that this process has just started the limit that this process was itself started with: it may be
  /// one that calls `select`. A limit that the program has lowered itself meanwhile stays.
  static func restore(in child: pid_t) {
    // The module map of the C library leaves `prlimit` out, which is for GNU sources. The type is its declaration in
    // <sys/resource.h>: `int prlimit(pid_t, int, const struct rlimit *, struct rlimit *)`. The symbol is never unloaded.
    typealias LimitOfProcess = @convention(c) (
      pid_t, Int32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?
    ) -> Int32
    guard var limit = inherited.withLock({ $0 }), let symbol = dlsym(nil, "prlimit") else { return }
    let limitOfProcess = unsafeBitCast(symbol, to: LimitOfProcess.self)
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    var present = rlimit()
    guard limitOfProcess(child, resource, nil, &present) == 0, present.rlim_cur > limit.rlim_cur else { return }
    limit.rlim_max = present.rlim_max
    _ = limitOfProcess(child, resource, &limit, nil)
  }
}
