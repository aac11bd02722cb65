import AtelierProtocol
import Foundation
import Store
import Support
import Testing

/// Somebody who uses a data directory for a moment while its services are killed, and who neither begins, ends nor
/// forgets anything of theirs.
enum Bystander: CaseIterable {
  /// A command for people.
  case command
  /// A service without a key, whose host asks one thing and leaves.
  case keylessService
  /// A process whose clock is far ahead, and which cleans up by it.
  case clockAhead
  case clockBehind

  /// - Throws: what keeps it from being there at all.
  func visit(_ dataDirectory: String, _ name: String) async throws {
    switch self {
    case .command:
      for words in [["history"], ["credits", "audit"]] {
        let child = try ServiceChild(command: [ServiceExecutable.path] + words + ["--data-dir", dataDirectory])
        #expect(try await child.finished() == .exited(0), "\(name), \(words): \(child.errorText)")
      }
    case .keylessService:
      let service = try ServiceChild(dataDirectory: dataDirectory)
      for method in ["history", "queue/status"] {
        let answer = try await service.call(method)
        #expect(answer["result"] != nil, "\(name), \(method): \(answer.text)")
      }
      #expect(try await service.finished() == .exited(0), "\(name): \(service.errorText)")
    case .clockAhead: try await tidy(dataDirectory, days: 400)
    case .clockBehind: try await tidy(dataDirectory, days: -400)
    }
  }

  private func tidy(_ dataDirectory: String, days: Int64) async throws {
    let store = try await Store.open(dataDirectory, clockOffByMs: days * 86_400_000)
    let recovery = try await store.recover()
    #expect(recovery.expired == [])
    try await store.sweep()
    try await store.tidy(keeping: HistoryLimits(maximumAgeMs: 30 * 86_400_000))
    _ = try await store.grantCredits(1, to: "a stranger", because: "a gift at the wrong time")
    await store.close()
  }
}

extension Store {
  /// A store of this process, whose clock goes wrong by so many milliseconds.
  static func open(_ dataDirectory: String, clockOffByMs offset: Int64 = 0) async throws -> Store {
    try await open(
      directory: DataDirectory(path: dataDirectory),
      surroundings: StoreSurroundings(
        now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + offset) },
        makeIdentifier: { "\($0)\(UInt64.random(in: .min ... .max))" },
        random: { UInt64.random(in: .min ... .max) }))
  }
}
