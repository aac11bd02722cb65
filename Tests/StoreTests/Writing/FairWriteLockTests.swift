import AtelierProtocol
import Dispatch
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Two processes that write", .onlySQLite)
struct FairWriteLockTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("the process that holds it keeps others out until it lets go")
  func exclusive() throws {
    let random = Mutex(SplitMix64(seed: 1))
    let busyPolicy = BusyWait.Policy()
    let steps = Mutex(0)
    let look: @Sendable () -> UInt64 = {
      steps.withLock { $0 += 1 }
      return random.withLock { $0.next() }
    }
    let first = try FairWriteLock(path: fixture.temporary.path, wait: BusyWait(random: look))
    let second = try FairWriteLock(path: fixture.temporary.path, wait: BusyWait(random: look, policy: busyPolicy))
    first.enter()
    #expect(steps.withLock { $0 } == 0)
    // Courtesy only: after so many steps it goes on without.
    busyPolicy.waitingBriefly { second.enter() }
    let most = BusyWait.mostTries / 100
    #expect(steps.withLock { $0 } == most)
    first.leave()
    second.enter()
    #expect(steps.withLock { $0 } == most)
  }

  @Test("a write waits for its turn, and is made when it comes; one of many long ones gives its turn away")
  func turn() async throws {
    let counting = LookCounter(fixture)
    let store = try await Store.open(directory: fixture.directory, surroundings: counting.surroundings)
    let watcher = try store.watchCommits()
    let other = try FairWriteLock(path: fixture.directory.artifacts, wait: BusyWait(random: { 0 }))
    for round in 1...2 {
      other.enter()
      counting.hold(atLook: 20)
      // The second comes at once after the first, which would let it go on if it had not given way.
      let write = Task {
        try await store.write(givesWay: true) { try $0.run("CREATE TABLE slate_\(round) (number)") }
      }
      while !counting.isHeld, watcher.commits < round { await Task.yield() }
      // It cannot have given up waiting: it is held after its twentieth look, however long this test has been away.
      #expect(watcher.commits == round - 1)
      other.leave()
      counting.letGo()
      try await write.value
      #expect(watcher.commits == round)
    }
  }

  @Test("the process that is next looks more often, for as long all in all")
  func next() {
    let busyPolicy = BusyWait.Policy()
    let most = busyPolicy.mostTries
    busyPolicy.beNext(true)
    #expect(busyPolicy.looksPerStep > 1 && busyPolicy.mostTries == most * busyPolicy.looksPerStep)
    busyPolicy.beNext(false)
    #expect(busyPolicy.looksPerStep == 1 && busyPolicy.mostTries == most)
  }

  /// Counts how often a store asks for the length of a wait, and keeps it waiting at one of them.
  private final class LookCounter: Sendable {
    private let looksLeft = Mutex<Int?>(nil)
    private let goes = DispatchSemaphore(value: 0)
    private let fixture: StoreFixture

    init(_ fixture: StoreFixture) { self.fixture = fixture }

    func hold(atLook number: Int) { looksLeft.withLock { $0 = number } }
    var isHeld: Bool { looksLeft.withLock { $0 == 0 } }
    func letGo() { goes.signal() }

    var surroundings: StoreSurroundings {
      var surroundings = fixture.surroundings
      surroundings.random = { [self] in
        let mustWait = looksLeft.withLock { left in
          guard let count = left, count > 0 else { return false }
          left = count - 1
          return count == 1
        }
        if mustWait { goes.wait() }
        return fixture.next()
      }
      return surroundings
    }
  }

  @Test("a process with endless work lets another have its turn between its transactions")
  func fairness() async throws {
    let (busy, other) = (try await fixture.open(), try await fixture.open())
    let watcher = try busy.watchCommits()
    let wanted = 40
    let isOver = Flag()
    let most = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          while !isOver.isSet { _ = try await busy.accept(fixture.acceptance("busy")) }
          return 0
        }
      }
      group.addTask {
        defer { isOver.set() }
        var most = 0
        for _ in 0..<wanted {
          let before = watcher.commits
          _ = try await other.accept(fixture.acceptance("other"))
          most = max(most, watcher.commits - before)
        }
        return most
      }
      return try await group.reduce(0, max)
    }
    // As many as a turn has room for on a fast disk, and slack for a thread that the machine does not let run; without
    // turns it would be all there are.
    #expect(most <= 500)
    #expect(try await busy.history(HistoryFilter(account: "other"), limit: 1).totals.generations == wanted)
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}
