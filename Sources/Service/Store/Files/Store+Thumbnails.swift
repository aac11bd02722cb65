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
    let (staged, name) = ([thumbnail.source.staged].compactMap(\.self), thumbnail.source.artifact.name)
    let foresight = Foresight(subjects: [id.rawValue]) {
      try Self.row(of: id) + [ArtifactTable.known(among: [name])]
    }
    return try await write(putting: staged, usingUp: staged, foreseeing: { [self] in
      ForeseenChange(foresight: foresight) { [self] session in
        try session.prefetch(foresight.queries())
        guard let row = try generation(id, in: session), row.mayRecord(thumbnail) else { return false }
        var known = try session.artifacts.known(among: [name])
        try insert(thumbnail, of: row, known: &known, into: session)
        return true
      }
    })
  }
}
