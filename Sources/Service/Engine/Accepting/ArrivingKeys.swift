import AtelierProtocol
import Synchronization

/// The idempotency keys of requests that have arrived and are not decided yet: neither accepted, nor joined to the
/// earlier generation of their key, nor refused.
///
/// Until it is decided, a request has only a tentative id, which nobody else may see: its key may turn out to belong to
/// another generation. A look-up by key waits here for every request that brought the key before it, and then finds the
/// generation that the key stands for.
final class ArrivingKeys: Sendable {
  private struct Lookup {
    /// The requests that it waits for.
    var undecided: Set<Int>
    /// The account whose generation it cancels; nil when it only looks.
    var cancels: AccountID?
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct Entry {
    var undecided: Set<Int> = []
    var lookups: [Lookup] = []
  }

  private struct State {
    /// By the bytes of the key, which is compared exactly.
    var entries: [[UInt8]: Entry] = [:]
    var lastRequest = 0
  }

  private let state = Mutex(State())

  /// Notes a request, until it is decided.
  func note(_ key: String) -> Arrival {
    let key = Array(key.utf8)
    let request = state.withLock { state in
      state.lastRequest += 1
      state.entries[key, default: Entry()].undecided.insert(state.lastRequest)
      return state.lastRequest
    }
    return Arrival(of: request, key: key, in: self)
  }

  fileprivate func end(_ request: Int, _ key: [UInt8]) {
    let free = state.withLock { state -> [Lookup] in
      guard var entry = state.entries[key], entry.undecided.remove(request) != nil else { return [] }
      for index in entry.lookups.indices { entry.lookups[index].undecided.remove(request) }
      defer { state.entries[key] = entry.undecided.isEmpty ? nil : entry }
      let free = entry.lookups.filter(\.undecided.isEmpty)
      entry.lookups.removeAll(where: \.undecided.isEmpty)
      return free
    }
    for lookup in free { lookup.continuation.resume() }
  }

  /// Waits until every request is decided that has brought this key so far.
  /// - Parameter account: the account whose generation the caller is going to cancel; nil when it only looks. A request
  ///   of this account that is accepted meanwhile is cancelled before its work begins.
  func decided(_ key: String, cancelling account: AccountID? = nil) async {
    let key = Array(key.utf8)
    await withCheckedContinuation { continuation in
      let isDecided = state.withLock { state in
        guard var entry = state.entries[key] else { return true }
        entry.lookups.append(Lookup(undecided: entry.undecided, cancels: account, continuation: continuation))
        state.entries[key] = entry
        return false
      }
      if isDecided { continuation.resume() }
    }
  }

  fileprivate func isCancelled(_ request: Int, _ key: [UInt8], of account: AccountID) -> Bool {
    state.withLock { state in
      state.entries[key]?.lookups.contains { $0.cancels == account && $0.undecided.contains(request) } ?? false
    }
  }

  /// How many look-ups wait for requests with this key.
  func lookupCount(of key: String) -> Int { state.withLock { $0.entries[Array(key.utf8)]?.lookups.count ?? 0 } }
}

/// The arrival of one request; it ends once, at the latest when the request is forgotten.
public final class Arrival: Sendable {
  private let request: Int
  private let key: [UInt8]
  private let keys: ArrivingKeys

  fileprivate init(of request: Int, key: [UInt8], in keys: ArrivingKeys) {
    (self.request, self.key, self.keys) = (request, key, keys)
  }

  deinit { end() }

  /// The request is decided. Repeated calls have no effect.
  func end() { keys.end(request, key) }

  /// Whether somebody waits for the decision to cancel the request, which belongs to `account`.
  func isCancelled(of account: AccountID) -> Bool { keys.isCancelled(request, key, of: account) }
}
