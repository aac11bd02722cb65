import AtelierProtocol

extension Store {
  /// The model's answers that came with the images of a generation, by image index; empty when none were kept, as for
  /// private generations, or when the generation is gone.
  public func turns(of id: GenerationID) async throws(AtelierError) -> [SettledTurn] {
    try await read { session in try session.turns.all(of: id) }
  }
}

extension SettledTurn {
  func insert(into session: any SQLSession, generation: GenerationID) throws {
    try session.turns.insert(self, of: generation)
  }
}
