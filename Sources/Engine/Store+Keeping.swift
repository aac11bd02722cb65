import Store

extension Store {
  /// As `keepPrepared`; an input that cannot be kept leaves no file.
  /// - Throws: as `keepPrepared`.
  func keep(_ keeping: PreparedKeeping) async throws -> PreparedInput {
    do {
      return try await keepPrepared(keeping)
    } catch {
      await discard(keeping.source)
      throw error
    }
  }
}
