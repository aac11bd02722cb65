import Glibc
import Synchronization

/// A process that this one has started, until it is reaped.
package final class SpawnedProcess: Sendable {
  /// How a process ended.
  package enum End: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)
  }

  /// The process id until the process is reaped; afterwards the system may reuse it.
  private let running: Mutex<pid_t?>
  /// The process id, for display; it does not show whether the process still runs.
  package let identifier: pid_t
  /// Fulfilled once the process is reaped.
  package let end = Promise<End>()

  /// - Parameter identifier: a child that nobody else reaps.
  package init(_ identifier: pid_t) {
    running = Mutex(identifier)
    self.identifier = identifier
  }

  /// Sends a signal; harmless when the process has ended.
  package func signal(_ number: Int32) {
    running.withLock { identifier in
      // Not reaped yet, so the id still belongs to this child, even if it has become a zombie.
      if let identifier { Glibc.kill(identifier, number) }
    }
  }

  /// Kills the process and the group that it leads at once; harmless when it has ended.
  package func killGroup() {
    running.withLock { identifier in
      guard let identifier else { return }
      if Glibc.kill(-identifier, SIGKILL) != 0 { Glibc.kill(identifier, SIGKILL) }
    }
  }

  /// Blocks until the process has ended, and reaps it. Must be called once, on a thread that may block.
  @discardableResult
  package func reap() -> End {
    var information = siginfo_t()
    // WNOWAIT leaves a zombie, whose id is not reused; it is reaped under the lock that the signals hold.
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    let status = running.withLock { identifier in
      var status: Int32 = 0
      while waitpid(self.identifier, &status, 0) < 0 && errno == EINTR {}
      identifier = nil
      return status
    }
    let signal = status & 0x7f
    let end: End = signal == 0 ? .exited(status: (status >> 8) & 0xff) : .killed(signal: signal)
    self.end.fulfil(end)
    return end
  }
}
