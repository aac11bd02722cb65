import CProcess
import POSIX
import Synchronization

/// Two threads of this process that run all its tasks, for a system that allows few threads.
///
/// libdispatch starts a thread for each processor and for each priority of tasks. Where the system refuses one, it waits
/// for it inside whatever call asked, and a process whose threads all wait so never goes on.
enum TaskThreads {
  /// Enough for any task: libdispatch's threads have as much.
  private static let stackBytes = 8 << 20

  private static let pool = Mutex<ThreadPool?>(nil)

  /// Starts the threads. To be called before the first task starts.
  /// - Throws: ``SystemError`` when the system cannot create a thread.
  static func start() throws(SystemError) {
    let started = try ThreadPool(threads: ThreadBudget.tasks, stackBytes: stackBytes)
    pool.withLock { $0 = started }
    task_hook_set { job in
      // The pointer is the runtime's own; it is passed on once and not looked at.
      nonisolated(unsafe) let job = job
      TaskThreads.pool.withLock { $0 }?.start { task_hook_run(job) }
    }
  }
}
