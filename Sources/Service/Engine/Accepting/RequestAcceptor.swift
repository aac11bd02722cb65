import AtelierProtocol
import Crypto
import JSON
import Store

/// Writes what accepting a request requires: its row, the hold on its credits, and its inline pictures.
struct RequestAcceptor: Sendable {
  /// The outcome of an acceptance, and the work in the form in which it continues.
  struct Accepted {
    var outcome: AcceptOutcome
    var work: GenerationWork
    /// Its entry in the offline queue when its provider cannot be reached.
    var entry: QueueEntry?
  }

  /// How much longer than the longest wait inputs are kept, in milliseconds: the longest that the work itself may take,
  /// and a reserve.
  private static let inputReserveMs: Int64 = 2 * 3_600_000

  let parts: EngineParts
  let store: Store

  /// - Parameter begins: whether the work begins at once.
  /// - Throws: the store's refusals, with the offers of more credits; the fault of a picture; `storage_full`. Nothing
  ///   is left behind then.
  func accept(_ work: GenerationWork, begins: Bool) async throws -> Accepted {
    do {
      return try await acceptPaid(work, begins: begins)
    } catch let refusal as AtelierError where refusal.kind == .insufficientCredits {
      guard let cached = try await answeredFromHistory(work, else: parts.configuration.credits.offeringMore(refusal))
      else { throw parts.configuration.credits.offeringMore(refusal) }
      return try await acceptPaid(cached, begins: begins)
    }
  }

  private func acceptPaid(_ work: GenerationWork, begins: Bool) async throws -> Accepted {
    if work.isPaid { try await store.checkReadyToPay() }
    var work = work
    var entry: QueueEntry?
    var inputs: [PreparedKeeping] = []
    if work.mustWait {
      entry = try await self.entry(for: work, deadline: nil, attempts: 0)
    } else if !work.isPrivate, work.isDetached || !begins {
      // While the request waits, its inline pictures leave the memory, and they outlive this process.
      (work, inputs) = try await keepingInlinePictures(of: work)
    }
    do {
      var acceptance = try work.acceptance(within: parts.configuration.timeLimitMs(of: work))
      acceptance.waiting = entry
      acceptance.inputs = inputs
      acceptance.begins = begins && entry == nil
      let outcome = try await store.accept(acceptance)
      return Accepted(outcome: outcome, work: work, entry: entry)
    } catch {
      for input in inputs + (entry?.inputs ?? []) { await store.discard(input.source) }
      throw error
    }
  }

  // MARK: Pictures that must outlive the request

  /// The same work with every inline picture kept unchanged in the store until the generation ends.
  private func keepingInlinePictures(
    of work: GenerationWork
  ) async throws -> (work: GenerationWork, inputs: [PreparedKeeping]) {
    let (request, inputs) = try await keeping(work.request) { source, _ in
      guard case .data = source else { return nil }
      let (bytes, _) = try await parts.intake.photos.readStored(source, for: work.pictureAccess)
      // Recognised by content when the work begins, like every picture of a host.
      let staged = try await store.stage(bytes, mimeType: "application/octet-stream")
      return PreparedKeeping(
        id: PreparedID(rawValue: parts.surroundings.makeIdentifier("prep_")), account: work.account,
        source: .staged(staged), width: 1, height: 1, lifetimeMs: Self.forAsLongAsItTakesMs)
    }
    // The idempotency key stands for what the host sent, not for where it is stored.
    return inputs.isEmpty ? (work, []) : (work.with(request, fingerprint: try work.fingerprint()), inputs)
  }

  /// The request with its pictures replaced by references to the kept copies.
  /// - Parameter keep: stages one picture; returns nil for one that stays where it is.
  /// - Throws: what `keep` throws; nothing is left behind then.
  private func keeping(
    _ request: Generate, _ keep: (ImageSource, _ reference: Int?) async throws -> PreparedKeeping?
  ) async throws -> (request: Generate, inputs: [PreparedKeeping]) {
    var inputs: [PreparedKeeping] = []
    do {
      let renamed = try await request.renamingPictures { source, reference in
        guard let input = try await keep(source, reference) else { return source }
        inputs.append(input)
        return .prepared(input.id)
      }
      return (renamed, inputs)
    } catch {
      for input in inputs { await store.discard(input.source) }
      throw error
    }
  }

  /// The generation ends before this time is over.
  private static let forAsLongAsItTakesMs: Int64 = 400 * 86_400_000

  /// Makes everything that the request needs later durable, whatever happens to the host's files meanwhile.
  /// - Parameters:
  ///   - deadline: when the request is given up; nil for one that has not waited yet.
  ///   - attempts: how often its provider has refused it.
  /// - Throws: the fault of a picture, or `storage_full`; nothing is left behind then.
  func entry(for work: GenerationWork, deadline: Timestamp?, attempts: Int) async throws -> QueueEntry {
    let now = parts.surroundings.now().milliseconds
    let limit = work.request.waitMs.map(Int64.init) ?? parts.configuration.queue.deadlineMs
    let end = deadline ?? Timestamp(milliseconds: work.createdAt.milliseconds.addingClamped(limit))
    var entry = QueueEntry(
      provider: work.provider.id, deadline: end, attempts: attempts, request: [:], inputs: [],
      message: "Waiting for \(work.provider.profile.title)…")
    if deadline == nil {
      let lifetimeMs = max(0, end.milliseconds.addingClamped(-now)) + Self.inputReserveMs
      let (request, inputs) = try await keeping(work.request) { source, reference in
        try await parts.intake.prepared(source, for: work.pictureAccess)
          .kept(for: work, as: reference, in: store, surroundings: parts.surroundings, lifetimeMs: lifetimeMs)
      }
      entry.request = try request.params()
      entry.inputs = inputs
    } else {
      entry.request = try work.request.params()
    }
    work.repetition?.record(in: &entry.request)
    work.recordIsConfined(in: &entry.request)
    return entry
  }

  /// Removes the pictures of a request that does not wait after all.
  func discard(_ entry: QueueEntry) async {
    for input in entry.inputs { await store.discard(input.source) }
  }

  // MARK: An answer that costs nothing

  /// The same work without a charge, if the result of an identical earlier request is still kept.
  /// - Parameter refusal: the error the work ends with if that result is gone by the time it is needed.
  func answeredFromHistory(_ work: GenerationWork, else refusal: AtelierError) async throws -> GenerationWork? {
    guard work.mayBeAnsweredFromHistory, let metering = work.metering, !work.mustWait else { return nil }
    let pictures = try await WorkPictures(of: work, intake: parts.intake, keepsPhoto: false)
    guard try await store.cachedResult(for: work.resultKey(of: pictures), account: work.account) != nil else {
      return nil
    }
    var free = work
    free.metering = Metering(credits: 0, limits: metering.limits)
    free.refusalUnlessCached = refusal
    return free
  }
}

extension Int64 {
  /// The sum, clamped to the range of `Int64`.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

extension GenerationWork {
  /// What the store records of the request.
  /// - Parameter timeLimitMs: see ``EngineConfiguration/timeLimitMs(of:)``.
  func acceptance(within timeLimitMs: Int) throws -> Acceptance {
    var params = try request.params()
    let hash = try fingerprint()
    // Pictures never reach the database; a request with an inline picture cannot be carried out from its row alone.
    let hasInlineImage = Self.removeInlineImages(from: &params)
    repetition?.record(in: &params)
    recordIsConfined(in: &params)
    return Acceptance(
      id: id, account: account, recipe: request.recipe, request: params, prompt: request.prompt, paramsHash: hash,
      timeLimitMs: timeLimitMs, idempotencyKey: request.idempotencyKey, provider: provider.id, model: request.model,
      metadata: request.metadata, parent: repetition?.of ?? request.refinedResult?.id,
      parentIndex: repetition == nil ? request.refinedResult?.index : nil,
      isPrivate: isPrivate, isDetached: isDetached, isRequeueable: isDetached && !isPrivate && !hasInlineImage,
      metering: metering)
  }

  /// What an idempotency key stands for.
  func fingerprint() throws -> [UInt8] { try sentFingerprint ?? repetition?.fingerprint ?? request.fingerprint() }

  private static func removeInlineImages(from params: inout JSONObject) -> Bool {
    var found = false
    func withoutData(_ image: JSONValue) -> JSONValue {
      guard var members = image.object, members["data"] != nil else { return image }
      found = true
      members["data"] = nil
      return .object(members)
    }
    if let image = params["image"] { params["image"] = withoutData(image) }
    if let references = params["references"]?.array { params["references"] = .array(references.map(withoutData)) }
    return found
  }
}

extension Generate {
  /// The earlier result that the request refines.
  fileprivate var refinedResult: (id: GenerationID, index: Int?)? {
    guard case .generation(let id, let index) = image else { return nil }
    return (id, index)
  }

  /// SHA-256 over the params with their members in alphabetical order, so that the order a host sends them in is
  /// irrelevant.
  func fingerprint() throws -> [UInt8] { try params().fingerprint }

  func params() throws -> JSONObject {
    guard case .object(let params) = try JSONValueEncoder().encode(self) else { throw AtelierError(.internal) }
    return params
  }
}

extension Regenerate {
  /// SHA-256 over the params of `regenerate`, which name a generation as those of `generate` never do.
  func fingerprint() throws -> [UInt8] {
    guard case .object(let params) = try JSONValueEncoder().encode(self) else { throw AtelierError(.internal) }
    return params.fingerprint
  }
}

extension JSONObject {
  fileprivate var fingerprint: [UInt8] {
    var asked = self
    // These members change how the answer is delivered, not what is made. A key belongs to an account, which may have
    // another name when it is used again.
    for member in ["account", "idempotencyKey", "detach", "progress"] { asked[member] = nil }
    return Array(SHA256.hash(data: JSONValue.object(asked).sortedByKey.serialized()))
  }
}

extension JSONValue {
  /// The same value with the members of every object in alphabetical order.
  var sortedByKey: JSONValue {
    switch self {
    case .object(let object):
      .object(JSONObject(members: object.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sortedByKey) }))
    case .array(let array): .array(array.map(\.sortedByKey))
    case .null, .bool, .number, .string: self
    }
  }
}
