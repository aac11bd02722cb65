import Glibc

/// Limits of the system that the runtime of this process cannot cope with: where it lacks a thread, it waits for ever,
/// and where it lacks memory, it crashes. So they are looked at before anything depends on them.
public enum SystemLimits {
  /// Finds out whether the system allows `count` more threads at this moment, by starting them. Where the limits are
  /// far away, nothing is started.
  /// - Returns: how many it allows, at most `count`.
  public static func allowedThreads(atMost count: Int) -> Int {
    guard isLimited else { return count }
    return allowedThreads(atMost: count) { body throws(SystemError) in
      // The stack is not used, and takes up address space.
      try DedicatedThread.start(stackBytes: 64 << 10, body)
    }
  }

  /// - Parameter starter: starts a thread, or throws.
  package static func allowedThreads(atMost count: Int, starter: ThreadPool.Starter) -> Int {
    let isOver = Monitor(false)
    // All must exist at once, so none ends before the last is there.
    defer {
      isOver.withLock { $0 = true }
      isOver.wakeAll()
    }
    for started in 0..<count {
      do {
        try starter { isOver.wait { $0 ? () : nil } }
      } catch {
        return started
      }
    }
    return count
  }

  /// Whether the most threads of this user, who may have much else, or of the control group are few.
  private static var isLimited: Bool {
    (limit(of: Int32(__RLIMIT_NPROC.rawValue)) ?? .max) < 4096 || (groupLimit ?? .max) < 512
  }

  /// In a container, this file has the limit of the container; the group of a whole machine has no such file.
  private static var groupLimit: UInt64? {
    let descriptor = open("/sys/fs/cgroup/pids.max", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return number(in: descriptor)
  }

  /// How many bytes of address space this process may still take; nil without a limit.
  public static var addressSpaceLeft: UInt64? {
    guard let limit = limit(of: Int32(RLIMIT_AS.rawValue)) else { return nil }
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return limit }
    defer { close(descriptor) }
    let (taken, overflows) = (number(in: descriptor) ?? 0).multipliedReportingOverflow(by: UInt64(sysconf(Int32(_SC_PAGESIZE))))
    return overflows || taken > limit ? 0 : limit - taken
  }

  private static func limit(of resource: __rlimit_resource_t) -> UInt64? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return UInt64(limit.rlim_cur)
  }

  /// The number at the beginning of a file; nil where there is none, as in `max`.
  private static func number(in descriptor: Int32) -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return UInt64(String(decoding: bytes.prefix(max(count, 0)).prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
  }
}
