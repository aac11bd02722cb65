import AtelierProtocol
import Store
import ServiceFixture
import Testing

@testable import Engine

extension TestEngine {
  /// Gives an account credits that never expire, beside the one it has as a guest.
  func give(_ amount: Int, to account: AccountID) async throws {
    _ = try await engine.lazyStore.store().grantCredits(amount, to: account, because: "a test", source: "\(account)")
  }

  /// What an account can spend, and what is set aside.
  func credits(of account: AccountID) async throws -> [Int] {
    let sums = try await engine.lazyStore.store().creditSums(of: account)
    return [sums.available, sums.held]
  }

  /// Looks through the ledger, then ends.
  func leaveWithTheLedgerInOrder(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(try await engine.lazyStore.store().auditLedger() == [], sourceLocation: sourceLocation)
    await leave()
  }

  /// Checks what hosts were told of an account's credits: each balance is told as it is in that moment, which may be after
  /// the next change already, and the last is the one at the end.
  /// - Parameter balances: all that the account had, one after the other.
  func hasTold(_ balances: [[Int]], sourceLocation: SourceLocation = #_sourceLocation) {
    var rest = balances[...]
    for told in creditsTold {
      rest = rest.drop { $0 != told }
      #expect(!rest.isEmpty, "\(creditsTold) of \(balances)", sourceLocation: sourceLocation)
    }
    #expect(creditsTold.last == balances.last, sourceLocation: sourceLocation)
  }

  /// What hosts were told of credits, in order: what can be spent, and what is set aside.
  var creditsTold: [[Int]] {
    announcements.all.compactMap {
      if case .creditsChanged(let changed) = $0 { [changed.available, changed.held] } else { nil }
    }
  }
}
