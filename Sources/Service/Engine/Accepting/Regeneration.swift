import AtelierProtocol
import JSON
import Store

extension RequestPlanner {
  /// The work for `regenerate`: as for `generate`, with the params of an earlier generation.
  /// - Throws: `not_found`, `not_finished`, `input_expired`, and what `generate` throws.
  func plan(_ regenerate: Regenerate, for caller: Caller) async throws -> GenerationWork {
    let (request, repetition) = try await unfold(regenerate, for: caller)
    try request.validate()
    var work = try await plan(request, for: caller)
    work.repetition = repetition
    return work
  }

  /// The complete request that `regenerate` stands for, and what it repeats.
  /// - Throws: `not_found`, `permission_denied`, `not_finished`, `input_expired`.
  func unfold(
    _ regenerate: Regenerate, for caller: Caller
  ) async throws -> (request: Generate, repetition: Regeneration) {
    let store = try await parts.lazyStore.store()
    let row = try await store.generation(
      regenerate.generationId, account: try caller.visibleAccount(naming: regenerate.account))
    let account = try row?.account ?? caller.account(naming: regenerate.account)
    var repetition = Regeneration(
      of: regenerate.generationId, firstVariation: 0, fingerprint: try regenerate.fingerprint())
    if let key = regenerate.idempotencyKey,
      let earlier = try await store.generation(idempotencyKey: key, account: account), !earlier.mayBeTriedAgain
    {
      // An already answered request is answered again, even if its inputs have changed since.
      var request = (try? earlier.requestAsSent()) ?? Generate(recipe: earlier.recipe)
      request.account = account
      request.idempotencyKey = regenerate.idempotencyKey
      request.detach = regenerate.detach
      return (request, repetition)
    }
    guard let row else { throw AtelierError.noGeneration(regenerate.generationId.rawValue) }
    guard row.state.isFinal else { throw Self.notFinished(row.id, row.state) }
    let earlier = try await requestOnceMore(row)
    var request = regenerate.merged(into: earlier)
    request.account = account
    if regenerate.seed == nil, let seed = request.seed { request.seed = otherSeed(than: seed) }
    repetition.firstVariation =
      (Regeneration(recordedIn: row.request)?.firstVariation ?? 0) + earlier.resultCount
      + (try await store.regenerations(of: row.id)) * request.resultCount
    return (request, repetition)
  }

  /// A different seed, so that the same picture does not come again.
  private func otherSeed(than seed: Int) -> Int {
    let other = Int(parts.surroundings.random() % UInt64(Seed.range.upperBound))
    return other < seed ? other : other + 1
  }

  /// The request of a generation, with pictures that are still available.
  private func requestOnceMore(_ row: GenerationRow) async throws -> Generate {
    guard !row.isPrivate else {
      throw AtelierError(
        .inputExpired,
        "This was private, so nothing of it was kept. Please choose the photo again.",
        hint: "Send the request again with generate.",
        generationId: row.id)
    }
    var params = row.request
    let (image, references) = (params["image"], params["references"]?.array ?? [])
    params["image"] = nil
    params["references"] = nil
    var request = try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.self, from: .object(params))
    let photos = parts.intake.photos
    if let image { request.image = try await photos.kept(image, of: row) }
    var found: [ImageSource] = []
    for (position, reference) in references.enumerated() {
      found.append(try await photos.kept(reference, of: row, reference: position))
    }
    request.references = found.isEmpty ? nil : found
    return request
  }

  private static func notFinished(_ id: GenerationID, _ state: GenerationState) -> AtelierError {
    AtelierError(
      .notFinished, generationId: id, details: ["state": .string(state.rawValue)])
  }
}

/// The link from a repeated generation to the earlier one.
struct Regeneration: Sendable, Equatable {
  /// The generation that is repeated.
  var of: GenerationID
  /// The first variation for a provider whose output is deterministic: after those made before.
  var firstVariation: Int
  /// SHA-256 over the params of `regenerate`, which an idempotency key stands for. Empty when read back from the store,
  /// where it is no longer needed.
  var fingerprint: [UInt8] = []

  private static let ofMember = "regenerates"
  private static let firstMember = "firstVariation"

  init(of: GenerationID, firstVariation: Int, fingerprint: [UInt8]) {
    self.of = of
    self.firstVariation = firstVariation
    self.fingerprint = fingerprint
  }

  /// - Parameter params: the request as stored.
  /// - Returns: nil when it repeats nothing.
  init?(recordedIn params: JSONObject) {
    guard let id = params[Self.ofMember]?.string else { return nil }
    of = GenerationID(rawValue: id)
    // The record may have been changed externally; the clamp prevents an overflow and exceeds any real chain of
    // repetitions.
    firstVariation = min(max(params[Self.firstMember]?.number?.integer(as: Int.self) ?? 0, 0), 1 << 30)
  }

  /// Adds it to the params of the request, under names that they do not use.
  func record(in params: inout JSONObject) {
    params[Self.ofMember] = .string(of.rawValue)
    params[Self.firstMember] = .number(JSONNumber(firstVariation))
  }
}
