import AtelierProtocol
import Foundation
import Store

/// `ledger-worker URL DIRECTORY SEED LEASE-MS CALLERS STEPS`: one of several processes that share a database, for the proofs
/// in ../.
///
/// Its callers accept, claim and finish generations of a few accounts at random, until so many steps are done or its input
/// ends. What the store has acknowledged it writes to standard output, a line each: `accepted ID`,
/// `finished ID STATE CHARGED`, `granted SOURCE`; and `ready` first. A line `error KIND` is an operation that was refused or
/// failed.
@main
enum LedgerWorker {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 7, let seed = UInt64(words[3]), let lease = Int(words[4]), let callers = Int(words[5]),
      let steps = Int(words[6])
    else {
      print("usage: ledger-worker URL DIRECTORY SEED LEASE-MS CALLERS STEPS")
      exit(2)
    }
    var server = PostgreSQLServer(address: try PostgreSQLAddress(parsing: words[1]))
    server.leases.lease = .milliseconds(lease)
    server.leases.heartbeat = .milliseconds(lease / 6)
    server.leases.proving = .milliseconds(lease)
    let store = try await Store.open(
      directory: DataDirectory(path: words[2]), server: server, surroundings: .worker)
    say("ready")
    let count = StepCount(steps)
    let work = Work(store: store, steps: count)
    Thread.detachNewThread {
      _ = FileHandle.standardInput.readDataToEndOfFile()
      Task { await count.stop() }
    }
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<callers { group.addTask { await work.run(seed: seed &* 1_000 &+ UInt64(caller)) } }
      group.addTask { await work.recover(every: .milliseconds(lease / 3)) }
      await group.waitForAll()
    }
    await store.close()
    say("closed")
  }

  /// A line is written whole: it is shorter than what a pipe takes at once.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// How many steps are left, for all callers together.
actor StepCount {
  private var left: Int

  init(_ count: Int) { left = count }

  func take() -> Bool {
    left -= 1
    return left >= 0
  }

  func stop() { left = 0 }
  var isOver: Bool { left <= 0 }
}

extension StoreSurroundings {
  static let worker = StoreSurroundings(
    now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
    makeIdentifier: { prefix in prefix + String(UInt64.random(in: .min ... .max), radix: 36) },
    random: { .random(in: .min ... .max) })
}
