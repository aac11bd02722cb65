import AtelierProtocol
import POSIX
import Support
import Synchronization

@testable import Store

/// A data directory, and any number of stores on it, as so many processes would have.
final class StoreFixture: Sendable {
  let temporary: TemporaryDirectory
  let clock = ManualClock(start: Timestamp(milliseconds: 1_790_000_000_000))
  /// The database of these tests, where they run on PostgreSQL; nil for a file.
  let server: TestDatabase?
  private let random: Randomness

  /// One generator for all stores of the fixture. They hold it and not the fixture, so that the fixture can end before them.
  private final class Randomness: Sendable {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }
  }

  init(seed: UInt64 = 1) throws {
    temporary = try TemporaryDirectory()
    server = try TestDatabase.isUsed ? TestDatabase() : nil
    random = Randomness(seed: seed)
  }

  var directory: DataDirectory { DataDirectory(path: "\(temporary.path)/data") }

  func next() -> UInt64 { random.next() }

  var surroundings: StoreSurroundings {
    StoreSurroundings(
      now: { [clock] in clock.now },
      makeIdentifier: { [random] prefix in prefix + String(random.next(), radix: 16) },
      random: { [random] in random.next() })
  }

  /// - Parameters:
  ///   - directory: that of the fixture, unless another is named.
  ///   - surroundings: those of the fixture, unless changed ones are given.
  func open(
    _ directory: DataDirectory? = nil, with surroundings: StoreSurroundings? = nil
  ) async throws(StoreError) -> Store {
    try await Store.open(
      directory: directory ?? self.directory, server: server?.server, surroundings: surroundings ?? self.surroundings)
  }

  /// Lets `work` happen in a store that then dies: it is released without being closed, as by a kill.
  func dying<Value>(_ work: (Store) async throws -> Value) async throws -> Value {
    let (value, process) = try await { () async throws -> (Value, ProcessID) in
      let store = try await open()
      return (try await work(store), store.process)
    }()
    try await isDead(process)
    return value
  }

  /// Waits for the death of a store that was released: its threads let go of it one after the other.
  func isDead(_ process: ProcessID) async throws {
    try server?.endLease(of: process)
    let lock = directory.lock(of: process)
    while FileStatus.exists(lock), try FileLock(path: lock, creating: false) == nil {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  func acceptance(
    _ account: AccountID = .owner, prompt: String? = "a lighthouse", recipe: Recipe = .create, key: String? = nil,
    hash: UInt8 = 7, parent: GenerationID? = nil, isPrivate: Bool = false, isRequeueable: Bool = false,
    timeLimitMs: Int = 60_000, metering: Metering? = nil
  ) -> Acceptance {
    Acceptance(
      id: GenerationID(rawValue: "gen_" + String(next(), radix: 16)), account: account, recipe: recipe,
      request: ["recipe": .string(recipe.rawValue), "prompt": prompt.map { .string($0) } ?? .null], prompt: prompt,
      paramsHash: [UInt8](repeating: hash, count: 32), timeLimitMs: timeLimitMs,
      idempotencyKey: key, provider: .gemini, model: "a-model",
      promptVersion: "3", metadata: ["ticket": 12], parent: parent, parentIndex: parent == nil ? nil : 0,
      isPrivate: isPrivate, isDetached: isRequeueable, isRequeueable: isRequeueable,
      metering: metering)
  }
}

extension Store {
  /// Accepts and starts, and gives the id.
  func begin(_ acceptance: Acceptance) async throws -> GenerationID {
    _ = try await accept(acceptance)
    _ = try await start(acceptance.id)
    return acceptance.id
  }

  /// Gives a staged file its place without a row, as a process leaves it that dies at this moment.
  /// - Returns: false when the place was taken.
  func nameWithoutRow(_ staged: StagedArtifact) throws -> Bool {
    if FileStatus.exists(staged.artifact.file) { return false }
    _ = try folder.put(staged, RecordedPlace(isFile: false, isSecondFolder: false, isFirstFolder: false))
    return true
  }

  /// Stages `bytes` and ends the generation with them as its only image.
  @discardableResult
  func succeed(_ id: GenerationID, with bytes: [UInt8], credits: Int = 0) async throws -> FinishOutcome {
    let staged = try await stage(bytes, mimeType: "image/png")
    return try await finish(
      Settlement(
        id: id, state: .succeeded,
        files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: credits)]))
  }
}

extension AcceptOutcome {
  var row: GenerationRow {
    switch self {
    case .accepted(let row), .existing(let row): row
    }
  }
}

extension FinishOutcome {
  var finished: GenerationRow? { if case .finished(let row) = self { row } else { nil } }
}
