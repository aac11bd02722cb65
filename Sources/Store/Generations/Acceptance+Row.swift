import AtelierProtocol
import GRDB
import JSONRPC

extension Acceptance {
  /// Writes the first row of the generation, and takes its idempotency key.
  func insert(into database: Database, owner: OwnerID, now: Timestamp) throws {
    var request = request
    if isPrivate { request["prompt"] = nil }
    let key = try idempotencyKey.map { try StoredText.identifier($0) }
    let account = try StoredText.identifier(account.rawValue)
    let id = try StoredText.identifier(id.rawValue)
    let hash = Hexadecimal.text(paramsHash)
    try database.cachedStatement(
      sql: """
        INSERT INTO generation (
          id, account, owner, recipe, state, phase, message, sequence, created, request, prompt, params_hash,
          idempotency_key, provider, model, prompt_version, metadata, parent, parent_index, is_private, is_detached,
          is_requeueable)
        VALUES (
          :id, :account, :owner, :recipe, 'queued', 'queued', '', 0, :created, :request, :prompt, :params_hash,
          :idempotency_key, :provider, :model, :prompt_version, :metadata, :parent, :parent_index, :is_private,
          :is_detached, :is_requeueable)
        """
    ).execute(arguments: [
      "id": id, "account": account, "owner": owner.rawValue, "recipe": recipe.rawValue, "created": now.milliseconds,
      "request": try StoredText.json(JSONValue.object(request)),
      "prompt": isPrivate ? nil : prompt.map(StoredText.readable), "params_hash": hash, "idempotency_key": key,
      "provider": provider.map { StoredText.readable($0.rawValue) }, "model": model.map(StoredText.readable),
      "prompt_version": promptVersion.map(StoredText.readable),
      "metadata": try metadata.map { try StoredText.json(JSONValue.object($0)) },
      "parent": try parent.map { try StoredText.identifier($0.rawValue) }, "parent_index": parentIndex,
      "is_private": isPrivate, "is_detached": isDetached, "is_requeueable": isRequeueable && !isPrivate,
    ])
    guard let key else { return }
    try database.cachedStatement(
      sql: "INSERT INTO idempotency (account, key, params_hash, generation_id, created) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [account, key, hash, id, now.milliseconds])
  }
}
