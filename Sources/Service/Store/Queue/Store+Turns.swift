import AtelierProtocol

extension Store {
  /// The model's answers that came with the images of a generation, by image index; empty when none were kept, as for
  /// private generations, or when the generation is gone.
  public func turns(of id: GenerationID) async throws(AtelierError) -> [StoredTurn] {
    try await read { session in try session.turns.all(of: id) }
  }
}

extension StoredTurn {
  func insert(into session: any SQLSession, generation: GenerationID) throws {
    try session.turns.insert(self, of: generation)
  }
}
