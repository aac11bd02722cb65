import Glibc
import Synchronization

/// Limits of the system that the runtime of this process cannot cope with: where it lacks a thread, it waits for ever,
/// and where it lacks memory or a descriptor, it crashes. So they are looked at before anything depends on them.
public enum SystemLimits {
  private static let scarceThreads = Atomic<Bool>(false)

  /// Whether the system allows this process hardly more threads than it must have. Then no pool adds any.
  public static var areThreadsScarce: Bool { scarceThreads.load(ordering: .relaxed) }

  /// Finds out how many more threads the system allows at this moment, by starting them. Where the limits are far away,
  /// nothing is started. Decides ``areThreadsScarce``; to be called before any thread starts.
  /// - Parameter plenty: with as many, this process need not save any.
  /// - Returns: how many are allowed, at most `plenty`.
  public static func lookAtThreads(plenty: Int) -> Int {
    guard isLimited else { return plenty }
    let allowed = allowedThreads(atMost: plenty)
    scarceThreads.store(allowed < plenty, ordering: .relaxed)
    return allowed
  }

  /// Starts a worker, unless it would take the threads that this process still needs, or lack its own.
  /// - Throws: ``SystemError`` with `EAGAIN` when threads are scarce and the system does not allow both.
  package static func startingWorker<Worker: Sendable>(_ start: @Sendable () throws -> Worker) throws -> Worker {
    guard areThreadsScarce else { return try start() }
    // Two at once would count the threads with which the other one tries it.
    return try workerStart.withLock { _ in
      try requireWorkerThreads()
      return try start()
    }
  }

  private static let workerStart = Mutex(())

  package static func requireWorkerThreads() throws(SystemError) {
    let needed = ThreadBudget.worker + max(ThreadBudget.service - presentThreads, 0)
    guard allowedThreads(atMost: needed) == needed else { throw SystemError(code: EAGAIN, operation: "start a thread") }
  }

  /// The threads of this process at this moment.
  package static var presentThreads: Int {
    var status = stat()
    // The folder has an entry for each thread, and two for itself and its parent.
    return stat("/proc/self/task", &status) == 0 ? max(Int(status.st_nlink) - 2, 1) : 1
  }

  /// Starts threads, as many as the system allows, and waits until they have ended.
  private static func allowedThreads(atMost count: Int) -> Int {
    let before = presentThreads
    let allowed = allowedThreads(atMost: count) { body throws(SystemError) in
      // The stack is not used, and takes up address space.
      try DedicatedThread.start(stackBytes: 64 << 10, body)
    }
    // The system counts a thread until it has quite ended, and whoever needs threads next would lack them. A second is
    // never needed; other threads may have been started meanwhile.
    var waits = 0
    while presentThreads > before, waits < 10_000 {
      usleep(100)
      waits += 1
    }
    return allowed
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

  /// Finds out how many more files this process may open, by opening them, where the limit is near.
  /// - Returns: at most `count`.
  public static func allowedFiles(atMost count: Int) -> Int {
    guard let limit = limit(of: Int32(RLIMIT_NOFILE.rawValue)), limit < 1024 else { return count }
    var opened: [Int32] = []
    defer { for number in opened { close(number) } }
    while opened.count < count {
      let number = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard number >= 0 else { break }
      opened.append(number)
    }
    return opened.count
  }

  /// How many bytes of address space this process may still take; nil without a limit.
  public static var addressSpaceLeft: UInt64? {
    guard let limit = limit(of: Int32(RLIMIT_AS.rawValue)) else { return nil }
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return limit }
    defer { close(descriptor) }
    let (taken, overflows) = (number(in: descriptor) ?? 0).multipliedReportingOverflow(
      by: UInt64(sysconf(Int32(_SC_PAGESIZE))))
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
