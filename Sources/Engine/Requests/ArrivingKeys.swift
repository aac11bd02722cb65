import AtelierProtocol
import Synchronization

/// The idempotency keys of requests that have arrived but are not generations yet.
///
/// Requests run concurrently, so a cancel that follows its request at once may run before it. A lookup by key first
/// waits here until every request that brought the key is in the table of generations, or has failed.
final class ArrivingKeys: Sendable {
  private struct Entry {
    var requests = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// By the bytes of the key, which is compared exactly.
  private let entries = Mutex<[[UInt8]: Entry]>([:])

  /// Notes a request, until its arrival ends.
  func note(_ key: String) -> Arrival {
    let key = Array(key.utf8)
    entries.withLock { $0[key, default: Entry()].requests += 1 }
    return Arrival { [weak self] in self?.end(key) }
  }

  private func end(_ key: [UInt8]) {
    let waiting = entries.withLock { entries -> [CheckedContinuation<Void, Never>] in
      entries[key]?.requests -= 1
      guard entries[key]?.requests == 0 else { return [] }
      return entries.removeValue(forKey: key)?.waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until no request with this key is arriving.
  func settled(_ key: String) async {
    let key = Array(key.utf8)
    await withCheckedContinuation { continuation in
      let isSettled = entries.withLock { entries in
        if entries[key] == nil { return true }
        entries[key]?.waiting.append(continuation)
        return false
      }
      if isSettled { continuation.resume() }
    }
  }
}

/// The arrival of one request; it ends once, at the latest when the request is forgotten.
public final class Arrival: Sendable {
  private let action: Mutex<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

  deinit { end() }

  /// The request is in the table of generations now.
  func end() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
