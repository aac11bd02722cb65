import Foundation
import Glibc

/// A child process from its start to the moment it is collected.
final class ServiceLife: Sendable {
  let processID: pid_t
  let end = SharedState<ServiceEnd?>(nil)

  /// - Parameter processID: a child that nobody else collects.
  init(collecting processID: pid_t) {
    self.processID = processID
    Thread.detachNewThread { [self] in
      // WNOWAIT leaves a zombie, whose id stays taken; it is collected under the lock that `signal` holds.
      var information = siginfo_t()
      while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
      end.change { end in
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
        end = ServiceEnd(waitStatus: status)
      }
    }
  }

  func signal(_ number: Int32) {
    end.change { end in
      if end == nil { kill(processID, number) }
    }
  }
}
