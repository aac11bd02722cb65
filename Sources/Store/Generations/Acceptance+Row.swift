import AtelierProtocol
import GRDB
import JSONRPC

extension Acceptance {
  /// The row as it is read back once it is written.
  func row(owner: OwnerID, now: Timestamp) throws(AtelierError) -> GenerationRow {
    var request = request
    if isPrivate { request["prompt"] = nil }
    var row = GenerationRow(
      id: GenerationID(rawValue: try StoredText.identifier(id.rawValue)),
      account: AccountID(rawValue: try StoredText.identifier(account.rawValue)), owner: owner, recipe: recipe,
      state: .queued, phase: .queued, message: "", sequence: 0, created: now, request: request,
      prompt: isPrivate ? nil : prompt.map(StoredText.readable), paramsHash: paramsHash,
      idempotencyKey: try idempotencyKey.map { key throws(AtelierError) in try StoredText.identifier(key) },
      provider: provider.map { ProviderID(rawValue: StoredText.readable($0.rawValue)) },
      model: model.map(StoredText.readable), promptVersion: promptVersion.map(StoredText.readable),
      metadata: metadata,
      parent: try parent.map { parent throws(AtelierError) in
        GenerationID(rawValue: try StoredText.identifier(parent.rawValue))
      },
      parentIndex: parentIndex, isPrivate: isPrivate, isDetached: isDetached,
      isRequeueable: isRequeueable && !isPrivate, isCached: false, images: [], warnings: [], failures: [],
      creditsCharged: 0)
    if let waiting {
      row.wait(at: waiting)
    } else if begins {
      var life = Generation(state: row.state)
      if (try? life.apply(.started)) != nil { (row.state, row.phase, row.started) = (life.state, .preparing, now) }
    }
    return row
  }
}

extension GenerationRow {
  /// Writes a new row, and takes its idempotency key.
  func insert(into database: Database) throws {
    let hash = Hexadecimal.text(paramsHash)
    try database.cachedStatement(
      sql: """
        INSERT INTO generation (
          id, account, owner, recipe, state, phase, message, sequence, created, request, prompt, params_hash,
          idempotency_key, provider, model, prompt_version, metadata, parent, parent_index, is_private, is_detached,
          is_requeueable, started)
        VALUES (
          :id, :account, :owner, :recipe, :state, :phase, :message, :sequence, :created, :request, :prompt,
          :params_hash, :idempotency_key, :provider, :model, :prompt_version, :metadata, :parent, :parent_index,
          :is_private, :is_detached, :is_requeueable, :started)
        """
    ).execute(arguments: [
      "id": id.rawValue, "account": account.rawValue, "owner": owner.rawValue, "recipe": recipe.rawValue,
      "state": state.rawValue, "phase": phase.rawValue, "message": message, "sequence": sequence,
      "created": created.milliseconds, "request": try StoredText.json(JSONValue.object(request)), "prompt": prompt,
      "params_hash": hash, "idempotency_key": idempotencyKey, "provider": provider?.rawValue, "model": model,
      "prompt_version": promptVersion, "metadata": try metadata.map { try StoredText.json(JSONValue.object($0)) },
      "parent": parent?.rawValue, "parent_index": parentIndex, "is_private": isPrivate, "is_detached": isDetached,
      "is_requeueable": isRequeueable, "started": started?.milliseconds,
    ])
    guard let idempotencyKey else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO idempotency (account, key, params_hash, generation_id, created) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (account, key) DO UPDATE SET generation_id = excluded.generation_id
        """
    ).execute(arguments: [account.rawValue, idempotencyKey, hash, id.rawValue, created.milliseconds])
  }
}
