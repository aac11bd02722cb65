import AtelierProtocol
import Providers
import Store

extension SessionManager {
  /// Chooses and checks everything that can be known before the request is accepted.
  func plan(_ request: Generate, for caller: Caller) async throws -> GenerationWork {
    try request.validate()
    let account = try caller.account(naming: request.account)
    warmUp(for: request)
    // What was done already is answered, whatever has become of its template, its photo and the providers since.
    let isRepeated = try await earlier(request, of: account) != nil
    let template = isRepeated ? nil : try await template(for: request)
    let (lineup, mustWait) = try await lineup(
      for: request.completed, template: template, account: account, isRepeated: isRepeated)
    var work = GenerationWork(
      id: GenerationID(rawValue: surroundings.makeIdentifier("gen_")), account: account, request: request,
      template: template, lineup: lineup,
      metering: configuration.credits.metering(of: account, for: request, asking: lineup.asked),
      requestID: caller.requestID, wantsProgress: request.progress ?? caller.wantsProgress, createdAt: surroundings.now())
    work.mustWait = mustWait
    return work
  }

  private func lineup(
    for request: Generate, template: TemplateUse?, account: AccountID, isRepeated: Bool
  ) async throws -> (lineup: ProviderLineup, mustWait: Bool) {
    if isRepeated, let any = providers.all.first { return (ProviderLineup(first: any), false) }
    let asked = request.imageRequest(variation: 0, template: template)
    let candidates = try await monitor.candidates(for: asked.recipe, wanted: request.provider, registry: providers)
    let (lineup, mustWait) =
      request.whenOffline == .queue
      ? try await lineupOrWait(for: asked, among: candidates)
      : (try await monitor.lineup(for: asked, among: candidates), false)
    if !mustWait { lineup.first.warmUp() }
    try await check(request, of: account)
    return (lineup, mustWait)
  }

  /// Who is asked for a request that may wait, and whether it has to.
  private func lineupOrWait(
    for asked: ImageRequest, among candidates: [any ImageProvider]
  ) async throws -> (ProviderLineup, Bool) {
    do throws(AtelierError) {
      let lineup = try await monitor.lineup(for: asked, among: candidates)
      return (lineup, try await isOutOfReach(lineup))
    } catch where error.isWorthWaitingFor {
      guard let first = candidates.first else { throw error }
      return (ProviderLineup(first: first, others: Array(candidates.dropFirst())), true)
    }
  }

  /// Whether none of those who may be asked can be reached, as far as is known.
  private func isOutOfReach(_ lineup: ProviderLineup) async throws(AtelierError) -> Bool {
    let outages: [ProviderID: QueueStanding.Outage]
    do {
      outages = try await openStore().outages()
    } catch {
      throw AtelierError(wrapping: error)
    }
    return lineup.asked.allSatisfy { outages[$0.id] != nil }
  }

  /// What was made for this request's idempotency key.
  func earlier(_ request: Generate, of account: AccountID) async throws -> GenerationRow? {
    guard let key = request.idempotencyKey else { return nil }
    return try await openStore().generation(idempotencyKey: key, account: account)
  }

  /// Who would be asked for a request, and the refusal it would be met with where none of them can be asked now.
  /// - Throws: what it would be refused with at any other time as well.
  func foresee(
    _ request: Generate, account: AccountID
  ) async throws -> (lineup: ProviderLineup, refusal: AtelierError?) {
    let asked = request.imageRequest(variation: 0, template: try await template(for: request))
    let candidates = try await monitor.candidates(for: request.recipe, wanted: request.provider, registry: providers)
    do {
      let lineup = try await monitor.lineup(for: asked, among: candidates)
      try await check(request, of: account)
      return (lineup, nil)
    } catch let refusal as AtelierError where refusal.isOfTheMoment {
      guard let first = candidates.first else { throw refusal }
      return (ProviderLineup(first: first, others: Array(candidates.dropFirst())), refusal)
    }
  }

  /// Looks at what a request refers to.
  private func check(_ request: Generate, of account: AccountID) async throws {
    for source in [request.image].compactMap({ $0 }) + (request.references ?? []) {
      try await intake.photos.check(source, account: account)
    }
    if let directory = request.output?.directory { try await OutputDirectory(path: directory).check() }
  }
}

extension AtelierError {
  /// Whether it says how a provider is now, and nothing of what was asked.
  fileprivate var isOfTheMoment: Bool {
    switch kind {
    case .noApiKey, .invalidApiKey, .coolingDown, .quotaExhausted, .rateLimited, .providerUnavailable, .offline: true
    default: false
    }
  }
}
