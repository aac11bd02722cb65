import AtelierProtocol

extension Store {
  /// Stores the small picture of a generation for history, usually after its end. The store owns the staged file from
  /// here on, unless this throws.
  ///
  /// Stores nothing when the generation is gone, is private or already has one.
  /// - Returns: true when it was stored.
  @discardableResult
  public func keepThumbnail(
    _ thumbnail: GenerationFile, for id: GenerationID
  ) async throws(AtelierError) -> Bool {
    let isKept: Bool
    do {
      isKept = try await write { [self] session in
        guard let row = try generation(id, in: session), row.mayRecord(thumbnail) else { return false }
        try insert(thumbnail, of: row, into: session)
        return true
      }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    await discard(thumbnail.source)
    return isKept
  }
}
