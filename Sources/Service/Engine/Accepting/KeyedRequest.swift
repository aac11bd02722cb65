import AtelierProtocol
import JSON
import Store

/// A request as far as the generation of its idempotency key answers it: nothing here depends on the moment, on the disk, on
/// providers or on the files that it names.
struct KeyedRequest: Sendable {
  /// Nil for a request without a key, which no earlier generation answers.
  var key: String?
  var account: AccountID
  /// What the key stands for.
  var fingerprint: [UInt8]
  var isDetached: Bool
  var wantsProgress: Bool
  /// The id of the JSON-RPC request.
  var requestID: JSONValue?
}

extension RequestPlanner {
  func keyed(_ request: Generate, for caller: Caller) throws -> KeyedRequest {
    KeyedRequest(
      key: request.idempotencyKey, account: try caller.account(naming: request.account),
      fingerprint: try request.completed.fingerprint(), isDetached: request.detach ?? false,
      wantsProgress: request.progress ?? caller.wantsProgress, requestID: caller.requestID)
  }

  /// - Throws: `permission_denied`; what the store throws.
  func keyed(_ request: Regenerate, for caller: Caller) async throws -> KeyedRequest {
    let named = try caller.visibleAccount(naming: request.account)
    // Without a key, nothing is asked that depends on the account.
    let repeated = request.idempotencyKey == nil
      ? nil : try await parts.lazyStore.store().generation(request.generationId, account: named)
    return KeyedRequest(
      key: request.idempotencyKey, account: try repeated?.account ?? caller.account(naming: request.account),
      fingerprint: try request.fingerprint(), isDetached: request.detach ?? false,
      wantsProgress: request.progress ?? caller.wantsProgress, requestID: caller.requestID)
  }
}

extension GenerationManager {
  /// The generation that answers a request because of its key; nil when the request is carried out, perhaps once more.
  /// - Throws: `idempotency_mismatch`, `not_found` for a deleted one; what the store throws.
  func earlier(_ request: KeyedRequest) async throws -> GenerationRow? {
    guard let key = request.key else { return nil }
    // What this process works on is known here, even while the store cannot be read.
    if let id = accepted(key, of: request.account), let live = table[id], !live.isEnding, let row = live.row,
      row.paramsHash == request.fingerprint
    {
      return row
    }
    return try await parts.lazyStore.store()
      .generation(ofKey: key, of: request.account, paramsHash: request.fingerprint)
  }

  /// The generation that another request with the same key has begun meanwhile: what refuses this one, such as its slot or
  /// its credits, may follow from that.
  /// - Throws: the refusal of a key that stands for something else, or for what was deleted.
  func earlier(
    _ request: KeyedRequest, despite refusal: any Error, _ arrival: Arrival?
  ) async throws -> GenerationRow? {
    guard let key = request.key, !(refusal is CancellationError) else { return nil }
    // This request is decided; another one that brought the key before it may not be.
    arrival?.end()
    await arrivingKeys.decided(key)
    do {
      return try await earlier(request)
    } catch let error as AtelierError where error.kind.consequences.isOfTheStore {
      throw AtelierError(wrapping: refusal).about(key: .unknown)
    }
  }
}

extension AtelierError {
  /// What is known of the idempotency key of a refused request.
  enum KeyKnowledge: String {
    /// No generation has it: nothing was made or charged for it.
    case new
    /// The store could not be asked. A generation that has it can still be had.
    case unknown
  }

  static let keyDetail = "idempotencyKey"

  /// The same refusal with what is known of the request's key, where it is the store that refuses.
  func about(key: KeyKnowledge) -> AtelierError {
    guard kind.consequences.isOfTheStore else { return self }
    var error = self
    error.details[Self.keyDetail] = .string(key.rawValue)
    if key == .unknown {
      // The same request succeeds later if its generation exists, unless nothing ever will.
      if error.retryable != false { error.retryable = true }
      let advice: String = "If this idempotency key has a result, the same request gets it once the store can be read."
      error.hint = hint.map { "\($0) \(advice)" } ?? advice
    }
    return error
  }
}
