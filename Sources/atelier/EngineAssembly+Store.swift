import Engine
import Store

extension EngineAssembly {
  /// Runs `work` with the store of the data directory that the options name, and closes it.
  /// - Throws: `CommandFailure`.
  static func withStore<Value>(
    _ settings: CommonSettings, _ work: (Store) async throws -> Value
  ) async throws -> Value {
    do {
      return try await EngineAssembly(settings).withStore(work)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Runs `work` with the store, and closes it: a lock that stays behind makes the next process recover.
  func withStore<Value>(_ work: (Store) async throws -> Value) async throws -> Value {
    let store = try await openStore()
    do {
      let value = try await work(store)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }

  /// Runs `work` with an engine whose data directory is open, and leaves it at once.
  func withEngine<Value>(_ work: (Engine) async throws -> Value) async throws -> Value {
    let engine = try await openedEngine { _ in }
    do {
      let value = try await work(engine)
      await engine.leave(milliseconds: 0)
      return value
    } catch {
      await engine.leave(milliseconds: 0)
      throw error
    }
  }
}
