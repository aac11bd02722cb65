import Glibc

/// How many threads a process of this program has at once, at most, and its worker.
///
/// Where ``SystemLimits/areThreadsScarce``, these numbers hold however many requests there are: tasks run on
/// ``tasks`` threads, and no pool has more than one thread.
public enum ThreadBudget {
  /// Those that run all tasks.
  public static let tasks = 2

  /// Those of the program itself, all but the worker's: without them it is refused at the start, since whoever lacks one
  /// later waits for it.
  public static let service =
    // The main thread; libdispatch's for the main queue, for the clock and for timers.
    1 + 4 + tasks
    // The connection with the host, the trace of it, signals, and the processes that are watched.
    + 2 + 1 + 1 + 2
    // The store, its search in the history, transfers, and the three pools in ``LazyThreadPool``.
    + 3 + 1 + 1 + 3

  /// What a worker adds: the thread that waits for it, those of the connection with it, and its own.
  public static let worker = 1 + 2 + workerProcess

  /// The main thread, which runs the jobs; the connection; libdispatch's for tasks and half a picture, and for the clock;
  /// libvips's, which keeps a thread for each step that once overlapped another.
  private static let workerProcess = 1 + 2 + 3 + 1 + 5

  /// With as many, nothing need be saved: libdispatch's threads for each of three priorities, and full pools.
  public static var plenty: Int {
    let processors = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    return service + worker + 4 * processors + 24
  }
}
