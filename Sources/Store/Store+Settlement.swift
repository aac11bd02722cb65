import AtelierProtocol
import GRDB
import JSONRPC

extension Store {
  /// Ends a generation: its images, what it cost and its final state, in one transaction.
  ///
  /// The staged files belong to the store from here on, whatever the outcome; only when this throws are they still the
  /// caller's, to try again or to ``discard(_:)``.
  /// - Throws: `storage_full`, `overloaded`; `not_found` when an image of an earlier generation is gone.
  public func finish(_ settlement: Settlement) async throws(AtelierError) -> FinishOutcome {
    guard settlement.state.isFinal else {
      throw AtelierError(.internal, "A generation can only end in a final state, not as \(settlement.state.rawValue).")
    }
    let outcome: FinishOutcome
    do {
      outcome = try await write { [self] database in try finish(settlement, in: database) }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    for staged in settlement.stagedArtifacts { await discard(staged) }
    return outcome
  }

  private func finish(_ settlement: Settlement, in database: Database) throws -> FinishOutcome {
    guard let row = try generation(settlement.id, in: database) else { return .deleted }
    if row.state.isFinal { return .alreadyFinal(row) }
    let now = surroundings.now()
    for image in settlement.images {
      if !row.isPrivate { try place(image.source, in: database, now: now) }
      try image.insert(into: database, generation: row)
    }
    if !row.isPrivate, let thumbnail = settlement.thumbnail {
      try place(.staged(thumbnail), in: database, now: now)
    }
    try settlement.update(row, in: database, now: now)
    guard let finished = try generation(row.id, in: database) else { throw AtelierError.storeUnusable }
    return .finished(finished)
  }
}

extension Settlement {
  /// Every file staged for it.
  var stagedArtifacts: [StagedArtifact] {
    let images = images.compactMap { image -> StagedArtifact? in
      if case .staged(let staged) = image.source { staged } else { nil }
    }
    return images + (thumbnail.map { [$0] } ?? [])
  }

  /// Writes everything but the images onto the row, which is final afterwards.
  fileprivate func update(_ row: GenerationRow, in database: Database, now: Timestamp) throws {
    let isKept = !row.isPrivate
    try database.cachedStatement(
      sql: """
        UPDATE generation SET
          state = :state, finished = :finished, thumbnail = :thumbnail, text = :text, places = :places,
          provider = coalesce(:provider, provider), model = coalesce(:model, model),
          prompt_version = coalesce(:prompt_version, prompt_version), is_cached = :is_cached, usage = :usage,
          timings = :timings, warnings = :warnings, failures = :failures, error = :error, cost_usd = :cost_usd,
          credits_charged = :credits_charged
        WHERE id = :id
        """
    ).execute(arguments: [
      "id": row.id.rawValue, "state": state.rawValue, "finished": now.milliseconds,
      "thumbnail": isKept ? thumbnail?.artifact.name : nil, "text": isKept ? text.map(StoredText.readable) : nil,
      "places": isKept ? try places.map { try StoredText.json($0) } : nil,
      "provider": provider.map { StoredText.readable($0.rawValue) }, "model": model.map(StoredText.readable),
      "prompt_version": promptVersion.map(StoredText.readable), "is_cached": isCached,
      "usage": try usage.map { try StoredText.json($0) }, "timings": try timings.map { try StoredText.json($0) },
      "warnings": try StoredText.json(warnings), "failures": try StoredText.json(failures),
      "error": try error.map { try StoredText.json(StoredError($0)) }, "cost_usd": usage?.costUsd,
      "credits_charged": creditsCharged,
    ])
  }
}

extension SettledImage {
  fileprivate func insert(into database: Database, generation: GenerationRow) throws {
    let artifact = source.artifact
    try database.cachedStatement(
      sql: """
        INSERT INTO generation_image (
          generation_id, position, view, sha256, mime_type, bytes, artifact, width, height, output_path)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      generation.id.rawValue, index, view.map(StoredText.readable), artifact.sha256, artifact.mimeType, artifact.bytes,
      generation.isPrivate ? nil : artifact.name, width, height, outputPath.map(StoredText.readable),
    ])
  }
}
