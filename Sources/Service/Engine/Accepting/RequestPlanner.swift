import AtelierProtocol
import Providers
import Store

/// Chooses and checks everything that can be known about a request before its acceptance.
struct RequestPlanner: Sendable {
  let parts: EngineParts

  /// The work for a valid request that no earlier generation answers, with its providers.
  /// - Throws: `AtelierError` for everything that is recognisably wrong now.
  func plan(_ request: Generate, for caller: Caller) async throws -> GenerationWork {
    let account = try caller.account(naming: request.account)
    let template = try await template(for: request)
    try checkLookups(for: request, of: caller)
    try await parts.requireConsent(of: account)
    let (lineup, mustWait) = try await lineup(
      for: request.completed, template: template,
      access: PictureAccess(account: account, isConfined: caller.isConfined))
    var work = GenerationWork(
      id: GenerationID(rawValue: parts.surroundings.makeIdentifier("gen_")), account: account, request: request,
      template: template, lineup: lineup,
      metering: parts.configuration.credits.metering(of: account, for: request, asking: lineup.asked),
      requestID: caller.requestID, wantsProgress: request.progress ?? caller.wantsProgress,
      createdAt: parts.surroundings.now(), isConfined: caller.isConfined)
    work.mustWait = mustWait
    work.locationSource = caller.locationSource
    return work
  }

  private func lineup(
    for request: Generate, template: TemplateUse?, access: PictureAccess
  ) async throws -> (lineup: ProviderLineup, mustWait: Bool) {
    let asked = request.imageRequest(variation: 0, template: template)
    let candidates = try await candidates(for: request)
    let (lineup, mustWait) =
      request.whenOffline == .queue
      ? try await lineupOrWait(for: asked, among: candidates)
      : (try await parts.monitor.lineup(for: asked, among: candidates), false)
    if !mustWait { lineup.first.warmUp() }
    try await check(request, for: access)
    return (lineup, mustWait)
  }

  /// - Throws: the refusal of places that nobody could look up.
  private func checkLookups(for request: Generate, of caller: Caller) throws(AtelierError) {
    if request.recipe == .places, caller.locationSource == nil, parts.geocoder == nil { throw .noLocationSource }
  }

  private func candidates(for request: Generate) async throws -> [any ImageProvider] {
    try await parts.providers.candidates(for: request.recipe, wanted: request.provider)
  }

  /// The lineup for a request that may wait, and whether it must wait.
  private func lineupOrWait(
    for asked: ImageRequest, among candidates: [any ImageProvider]
  ) async throws -> (ProviderLineup, Bool) {
    do throws(AtelierError) {
      let lineup = try await parts.monitor.lineup(for: asked, among: candidates)
      let mustWait = try await isOutOfReach(lineup)
      return (lineup, mustWait ? true : await isOnTrial(lineup, for: asked))
    } catch where error.isWorthWaitingFor {
      guard let first = candidates.first else { throw error }
      return (ProviderLineup(first: first, others: Array(candidates.dropFirst())), true)
    }
  }

  /// Whether the only provider of the lineup has just refused, so that one request of the queue at a time tries it.
  private func isOnTrial(_ lineup: ProviderLineup, for asked: ImageRequest) async -> Bool {
    guard lineup.others.isEmpty, !lineup.first.profile.isLocal else { return false }
    let fitting = asked.fitting(lineup.first, isFirst: lineup.passedOver.isEmpty)
    return await parts.monitor.refusals(of: lineup.first, for: fitting) > 0
  }

  /// Whether all providers of the lineup are known to be unreachable.
  private func isOutOfReach(_ lineup: ProviderLineup) async throws(AtelierError) -> Bool {
    let outages: [ProviderID: QueueState.Outage]
    do {
      outages = try await parts.lazyStore.store().outages()
    } catch {
      throw AtelierError(wrapping: error)
    }
    return lineup.asked.allSatisfy { outages[$0.id] != nil }
  }

  /// The generation that answers this request's idempotency key; nil when the request is carried out, perhaps once
  /// more.
  func answered(_ request: Generate, of account: AccountID) async throws -> GenerationRow? {
    guard let key = request.idempotencyKey else { return nil }
    let earlier = try await parts.lazyStore.store().generation(idempotencyKey: key, account: account)
    return earlier?.mayBeTriedAgain == true ? nil : earlier
  }

  /// The lineup for a request, and its refusal if none of the providers can be asked now.
  /// - Throws: errors that do not depend on the current state of the providers.
  func foresee(
    _ request: Generate, for access: PictureAccess, of caller: Caller, maximumImageBytes: Int? = nil
  ) async throws -> (lineup: ProviderLineup, refusal: AtelierError?) {
    try checkLookups(for: request, of: caller)
    let asked = request.imageRequest(variation: 0, template: try await template(for: request))
    let candidates = try await candidates(for: request)
    do {
      let lineup = try await parts.monitor.lineup(for: asked, among: candidates)
      try await check(request, for: access, maximumImageBytes: maximumImageBytes)
      return (lineup, nil)
    } catch let refusal as AtelierError where refusal.kind.consequences.isOfTheMoment {
      guard let first = candidates.first else { throw refusal }
      return (ProviderLineup(first: first, others: Array(candidates.dropFirst())), refusal)
    }
  }

  /// Checks the pictures and the output folder of a request.
  private func check(_ request: Generate, for access: PictureAccess, maximumImageBytes: Int? = nil) async throws {
    var photos = parts.intake.photos
    if let maximumImageBytes { photos.maximumBytes = maximumImageBytes }
    for source in request.pictures { try await photos.check(source, for: access) }
    try await parts.outputDirectory(of: request, isConfined: access.isConfined)?.check()
  }

  /// The work of a generation that this process has claimed, as its row records it.
  /// - Throws: when the request is no longer readable, or this process does not have its provider.
  func work(from row: GenerationRow) async throws -> GenerationWork {
    let request = try row.requestAsSent()
    let first = try parts.providers.provider(row.provider ?? .ondevice)
    let others = parts.providers.fallbacks(after: first.id, for: request.recipe, wanted: request.provider)
    var work = GenerationWork(
      id: row.id, account: row.account, request: request, template: try? await template(for: request),
      lineup: ProviderLineup(first: first, others: others), requestID: nil,
      wantsProgress: request.progress ?? true, createdAt: row.created,
      isConfined: GenerationWork.isConfined(recordedIn: row.request))
    work.repetition = Regeneration(recordedIn: row.request)
    return work
  }

  /// The contribution of the template a request names; nil when it names none.
  /// - Throws: `template_not_found` for one that is unknown or retired.
  func template(for request: Generate) async throws(AtelierError) -> TemplateUse? {
    guard let id = request.templateId else { return nil }
    guard let template = await parts.templates.contents().library[id] else { throw AtelierError(templateNotFound: id) }
    // At most three pictures including the photo; the user's own come first.
    let hasRoom = (request.references?.count ?? 0) < ReferenceImages.maximum
    return TemplateUse(words: template.prompt, reference: hasRoom ? template.reference : nil)
  }
}

extension AtelierError {
  init(templateNotFound id: String) {
    self.init(
      .templateNotFound, "There is no hairstyle “\(id)”: choose another one.", hint: "templates/list lists the templates.",
      details: ["templateId": .string(id)])
  }

  /// - Parameter error: what is wrong with the file, reported without its path.
  init(templatePictureUnusable id: String, because error: AtelierError) {
    self.init(
      .invalidImage,
      "The picture of the hairstyle “\(id)” cannot be used: choose another one.",
      hint: "Correct the picture of the template.",
      details: ["templateId": .string(id), "reason": .string(error.kind.rawValue)])
  }
}

extension Generate {
  /// The photo and the reference pictures.
  var pictures: [ImageSource] { [image].compactMap { $0 } + (references ?? []) }

  /// The same request with other sources for its pictures.
  /// - Parameter rename: receives each picture with its position among the references; nil for the photo.
  func renamingPictures(_ rename: (ImageSource, _ reference: Int?) async throws -> ImageSource) async throws -> Generate {
    var request = self
    if let image { request.image = try await rename(image, nil) }
    for (position, reference) in (references ?? []).enumerated() {
      request.references?[position] = try await rename(reference, position)
    }
    return request
  }
}
