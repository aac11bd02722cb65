import POSIX

/// Who of the processes that share a database is alive: on one machine the kernel knows, over machines the database.
protocol Presence: Sendable {
  /// Which of `others` are gone. Who is alive, and who is not known well enough to be judged, is not named.
  func absences(among others: [ProcessID]) throws -> [ProcessID: Absence]

  /// Takes leave: what this process has left may be taken at once.
  func release() throws

  /// Lets those count as ended that were not heard of for so long that their work is over by any limit.
  func forgetEnded() throws
}

/// How a process is gone.
enum Absence: Sendable, Equatable {
  /// It has ended.
  case ended
  /// It has not been heard of for so long that what it has not begun may be taken from it. It may still work, cut off from
  /// the database, and bring what must not be done twice to its end.
  case silent
}

/// The processes of one machine: each holds a lock, which the kernel releases when it dies.
struct LockPresence: Presence {
  let directory: DataDirectory
  let claim: ProcessLock

  func absences(among others: [ProcessID]) throws -> [ProcessID: Absence] {
    var absences: [ProcessID: Absence] = [:]
    for other in others where other.isFileName {
      let path = directory.lock(of: other)
      if try FileStatus(path: path) == nil || FileLock.isFree(path) { absences[other] = .ended }
    }
    return absences
  }

  func release() throws { try claim.release() }

  /// The kernel forgets nobody.
  func forgetEnded() {}
}

/// A process that works with a database on a server: its lease there is what others go by, and its lock covers its files on
/// this machine.
struct OwnPresences: Presence {
  let claim: ProcessLock
  let leases: PostgreSQLPresence

  func absences(among others: [ProcessID]) throws -> [ProcessID: Absence] { try leases.absences(among: others) }

  func forgetEnded() throws { try leases.forgetEnded() }

  func release() throws {
    // The lease ends by itself when the server cannot be reached; the lock of this machine need not wait for that.
    defer { try? leases.release() }
    try claim.release()
  }
}
