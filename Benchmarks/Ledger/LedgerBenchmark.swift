import AtelierProtocol
import Foundation
import Store

/// `ledger-benchmark prepare|store|raw DIRECTORY [PAIRS] [CALLERS]`: how many generations of a metered account are
/// accepted and finished durably in a second, by the store, and by the same statements in plain calls of SQLite.
///
/// The database is a file in the directory, or the one that LEDGER_BENCHMARK_DATABASE names, as `store.url` does. With
/// LEDGER_BENCHMARK_ONE_BY_ONE, each statement takes a round trip of its own, as in most programs.
///
/// `store` and `raw` say `ready`, begin when a line comes, and end with a line of JSON, so that several processes can be
/// let go at the same moment.
@main
enum LedgerBenchmark {
  /// Each caller spends the credits of an account of its own.
  static func account(of caller: Int) -> AccountID { AccountID(rawValue: "bench-\(caller)") }

  /// As many callers there may be.
  static let accounts = 64

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst() + []
    guard arguments.count >= 2 else {
      print("usage: ledger-benchmark prepare|store|raw DIRECTORY [PAIRS] [CALLERS]")
      exit(2)
    }
    let words = Array(arguments)
    let directory = DataDirectory(path: words[1])
    let pairs = words.count > 2 ? Int(words[2]) ?? 1_000 : 1_000
    let callers = words.count > 3 ? Int(words[3]) ?? 1 : 1
    switch words[0] {
    case "prepare": try await prepare(directory)
    case "store": try await StorePairs(directory: directory).run(pairs, callers: callers)
    default: try await RawPairs(directory: directory).run(pairs)
    }
  }

  /// Accounts with credits for years, whose limits are lifted.
  private static func prepare(_ directory: DataDirectory) async throws {
    let store = try await open(directory)
    for account in (0..<accounts).map(account) {
      _ = try await store.set(account, tier: .free, isUnlimited: true)
      _ = try await store.grantCredits(
        1_000_000_000, to: account, because: "a benchmark", source: "benchmark:\(account.rawValue)")
    }
    await store.close()
  }

  static func open(_ directory: DataDirectory) async throws -> Store {
    let variables = ProcessInfo.processInfo.environment
    var server = try variables["LEDGER_BENCHMARK_DATABASE"].map {
      PostgreSQLServer(address: try PostgreSQLAddress(parsing: $0))
    }
    server?.sendsAhead = variables["LEDGER_BENCHMARK_ONE_BY_ONE"] == nil
    return try await Store.open(directory: directory, server: server, surroundings: .benchmark)
  }

  /// Waits for the word to begin; then runs `work` and tells how long it took.
  static func measure(_ pairs: Int, _ work: () async throws -> Void) async throws {
    print("ready")
    fflush(nil)
    _ = readLine()
    let began = ContinuousClock.now
    try await work()
    let seconds = began.duration(to: .now) / .seconds(1)
    print("{\"pairs\": \(pairs), \"seconds\": \(seconds)}")
  }
}

extension StoreSurroundings {
  static let benchmark = StoreSurroundings(
    now: { Timestamp(milliseconds: milliseconds) }, makeIdentifier: makeIdentifier, random: random)

  private static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  @Sendable private static func random() -> UInt64 { .random(in: .min ... .max) }

  /// As the service makes them.
  @Sendable static func makeIdentifier(_ prefix: String) -> String {
    prefix + ULID.text(milliseconds: milliseconds, random: random)
  }
}
