import Store

extension EngineAssembly {
  /// Runs `work` with the store of the data directory that the options name, and closes it.
  /// - Throws: `CommandFailure`.
  static func withStore<Value>(
    _ settings: CommonSettings, _ work: (Store) async throws -> Value
  ) async throws -> Value {
    do {
      let store = try await EngineAssembly(settings).openStore()
      do {
        let value = try await work(store)
        await store.close()
        return value
      } catch {
        await store.close()
        throw error
      }
    } catch {
      throw CommandFailure(error)
    }
  }
}
