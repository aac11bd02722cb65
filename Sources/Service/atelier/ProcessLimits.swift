import AtelierProtocol
import CConfinement
import CProcess
import Engine
import Glibc
import POSIX
import Store

/// What this program needs of the system to run at all.
enum ProcessLimits {
  /// For the largest message and the pictures that a few requests hold at once.
  private static let addressSpace: UInt64 = 512 << 20
  /// For the database, the connections of a few requests, and the pipes of a worker.
  private static let files = 34

  /// To be called before any thread starts.
  /// - Throws: `CommandFailure` that says which limit is too low.
  static func check() throws(CommandFailure) {
    if let left = SystemLimits.addressSpaceLeft {
      guard left >= addressSpace else {
        throw CommandFailure(
          sentence: "The limit of address space leaves \(left >> 20) MiB, and Atelier needs \(addressSpace >> 20). "
            + "Raise it (ulimit -v).")
      }
      // The C library would reserve 64 MiB for each thread that allocates, until nothing is left for the database.
      mallopt(M_ARENA_MAX, 1)
    }
    let openable = SystemLimits.allowedFiles(atMost: files)
    guard openable == files else {
      throw CommandFailure(
        sentence: "The system lets this process open only \(openable) more files, and Atelier needs \(files). "
          + "Raise the limit (ulimit -n).")
    }
    // The main thread is there.
    let threads = ThreadBudget.service - 1
    let allowed = SystemLimits.lookAtThreads(plenty: ThreadBudget.plenty)
    do {
      guard allowed >= threads else { throw SystemError(code: EAGAIN, operation: "start a thread") }
      if SystemLimits.areThreadsScarce { try TaskThreads.start() }
    } catch {
      throw CommandFailure(
        sentence: "The system allows only \(min(allowed, threads - 1)) more threads, and Atelier needs \(threads). "
          + "Allow this user more (ulimit -u), or the container more processes, or end other programs.")
    }
  }
}
