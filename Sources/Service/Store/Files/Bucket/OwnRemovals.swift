import Synchronization

/// Which files this process is removing from the bucket at the moment. Of a removal that it has begun and that is not among
/// them, the end could not be written: it must be carried out again.
///
/// A name is among them before the transaction commits that begins its removal. Otherwise another task could carry the
/// removal out and put the file anew, and this one would delete it.
final class OwnRemovals: Sendable {
  private let state = Mutex(State())

  private struct State {
    var names: [Int: Set<String>] = [:]
    var last = 0
  }

  /// Runs `work`, which removes files.
  /// - Parameter work: is given the number under which it says which.
  func run<Value>(_ work: (_ number: Int) async throws -> Value) async throws -> Value {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    defer { state.withLock { $0.names[number] = nil } }
    return try await work(number)
  }

  /// May be called again, where a transaction is run again.
  func begin(_ name: String, _ number: Int) { _ = state.withLock { $0.names[number, default: []].insert(name) } }

  func contains(_ name: String) -> Bool { state.withLock { $0.names.values.contains { $0.contains(name) } } }
}
