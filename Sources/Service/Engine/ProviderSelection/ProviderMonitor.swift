import AtelierProtocol
import Localization
import Providers
import Store

/// Knows which providers can be asked now, from the availability each reports and the pauses they asked for, which all
/// processes of the data directory share.
public actor ProviderMonitor {
  private let registry: ProviderRegistry
  private let lazyStore: LazyStore
  private let surroundings: Surroundings
  /// The pause after a refusal that names none, in milliseconds.
  private let cooldownMs: Int
  private let announce: @Sendable (Announcement) -> Void
  /// The statuses last announced, or last seen before any announcement.
  private var known: [ProviderID: ProviderStatus] = [:]
  /// Pauses of this process that the store could not take so far.
  private var unrecorded: [Cooldown] = []
  /// When they are recorded again.
  private var recording = RetryPauses()
  private static let backoff = RefusalBackoff()
  /// Providers that were unreachable at the last look; requests may still ask them.
  private var outages: Set<ProviderID> = []
  private var alarms: [ProviderID: Task<Void, Never>] = [:]

  /// - Parameter announce: called when a provider becomes available or unavailable; must not block.
  init(
    registry: ProviderRegistry, lazyStore: LazyStore, surroundings: Surroundings, cooldownMs: Int,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.registry = registry
    self.lazyStore = lazyStore
    self.surroundings = surroundings
    self.cooldownMs = cooldownMs
    self.announce = announce
  }

  /// Whether a provider can be asked now, for its default model.
  public func status(of provider: any ImageProvider) async -> ProviderStatus {
    let status = self.status(
      of: provider, await provider.availability(), cooldowns: await cooldowns(of: provider.id), now: surroundings.now())
    notice(status)
    return status
  }

  /// What a provider says of itself; pauses are on record and are left out.
  func statusOfItself(of provider: any ImageProvider) async -> ProviderStatus {
    status(of: provider, await provider.availability(), cooldowns: [], now: surroundings.now())
  }

  /// Why a provider cannot be asked now for a request.
  /// - Returns: nil when it can; else `no_api_key`, `cooling_down` or `quota_exhausted` with the remaining time, or
  ///   `provider_unavailable`.
  func refusal(of provider: any ImageProvider, for request: ImageRequest) async -> AtelierError? {
    let availability = await provider.availability()
    let cooldowns = await cooldowns(of: provider.id)
    let now = surroundings.now()
    notice(self.status(of: provider, availability, cooldowns: cooldowns, now: now))
    if !availability.available || availability.needsKey {
      return AtelierError(
        availability.needsKey ? .noApiKey : .providerUnavailable, availability.reason, hint: availability.hint,
        provider: provider.id)
    }
    return cooldowns.last(for: request.model(of: provider))?.refusal(at: now)
  }

  /// Learns from a provider's failure: all processes leave a rate-limited model alone for as long as the provider
  /// wants, and longer the more often it refuses in a row. If the limit is the key's, this applies to all of the
  /// provider's models.
  /// - Parameter sentAt: when the request was sent.
  /// - Returns: the error with the time that remains until the end of the pause, if there is one.
  func note(
    _ error: AtelierError, of provider: any ImageProvider, for request: ImageRequest, sentAt: Timestamp
  ) async -> AtelierError {
    guard error.callsForPause else { return error }
    let now = surroundings.now()
    let usual = error.kind.consequences.pause == .untilRenewed ? 86_400_000 : cooldownMs
    let pause = Int64(min(max(error.retryAfterMs ?? usual, 0), 86_400_000))
    let model = request.model(of: provider)
    let cooldown = Cooldown(
      provider: provider.id, model: error.isAboutKey || model.isEmpty ? nil : model, setAt: now,
      until: Timestamp(milliseconds: now.milliseconds + pause), kind: error.kind, message: error.sentence,
      details: error.details)
    if known[provider.id] == nil {
      known[provider.id] = self.status(of: provider, await provider.availability(), cooldowns: [], now: now)
    }
    do {
      try await lazyStore.store().coolDown(cooldown, sentAt: sentAt, backoff: Self.backoff)
      await recordPauses()
    } catch {
      keep(cooldown, sentAt: sentAt)
    }
    _ = await status(of: provider)
    var told = error
    let end = await cooldowns(of: provider.id).last(for: model)?.until ?? cooldown.until
    told.retryAfterMs = Int(max(0, end.milliseconds - now.milliseconds))
    if error.sentence == error.kind.sentence(retryAfterMs: error.retryAfterMs) {
      told.sentence = error.kind.sentence(retryAfterMs: told.retryAfterMs)
    }
    return told
  }

  /// Learns from a provider's success: ends every pause of that model.
  func noteSuccess(of provider: any ImageProvider, for request: ImageRequest) async {
    let model = request.model(of: provider)
    let hadPause = unrecorded.contains { $0.provider == provider.id && $0.concerns(model) }
    unrecorded.removeAll { $0.provider == provider.id && $0.concerns(model) }
    guard let store = try? await lazyStore.store() else { return }
    let hasRefused = (try? await store.hasRefused(provider.id, model: model)) ?? true
    guard hadPause || hasRefused else { return }
    try? await store.endCooldown(of: provider.id, model: model)
    _ = await status(of: provider)
  }

  /// How often in a row the model of a request has refused: 0 after a success, and some time after the last pause.
  func refusals(of provider: any ImageProvider, for request: ImageRequest) async -> Int {
    let model = request.model(of: provider)
    let now = surroundings.now()
    let own = unrecorded.filter { $0.provider == provider.id && $0.concerns(model) && $0.isRemembered(at: now) }
    let recorded = try? await lazyStore.store().refusals(of: provider.id, model: model)
    return max(own.map(\.refusals).max() ?? 0, recorded ?? 0)
  }

  /// Records the pauses that the store could not take earlier.
  /// - Returns: whether every pause of the provider that still lasts is on record, so that other processes, and the
  ///   queue, heed it.
  @discardableResult
  func recordPauses(of provider: ProviderID? = nil) async -> Bool {
    let now = surroundings.now()
    unrecorded.removeAll { !$0.isRemembered(at: now) }
    if unrecorded.isEmpty { return true }
    if recording.isDue(atMs: surroundings.uptimeMs()) {
      do {
        // A success or another key may end one of them meanwhile.
        for pause in unrecorded where unrecorded.contains(pause) {
          try await lazyStore.store().coolDown(pause)
          unrecorded.removeAll { $0 == pause }
        }
        recording.succeeded()
      } catch {
        recording.failed(atMs: surroundings.uptimeMs())
      }
    }
    return !unrecorded.contains { (provider == nil || $0.provider == provider) && !$0.isOver(at: now) }
  }

  private func keep(_ cooldown: Cooldown, sentAt: Timestamp) {
    let isSame = { (other: Cooldown) in other.provider == cooldown.provider && other.model == cooldown.model }
    let pause = Self.backoff.lengthened(cooldown, after: unrecorded.last(where: isSame), sentAt: sentAt)
    unrecorded.removeAll(where: isSame)
    unrecorded.append(pause)
  }

  /// Learns which providers cannot be reached, and announces the resulting changes.
  func know(outages now: Set<ProviderID>) async {
    let changed = outages.symmetricDifference(now)
    if changed.isEmpty { return }
    for provider in registry.all where changed.contains(provider.id) {
      // A change can only be announced against an earlier status.
      if known[provider.id] == nil { _ = await status(of: provider) }
    }
    outages = now
    for provider in registry.all where changed.contains(provider.id) { _ = await status(of: provider) }
  }

  /// Call this when a provider's key was set or deleted: a pause caused by another key no longer applies.
  public func keyChanged(of id: ProviderID) async {
    unrecorded.removeAll { $0.provider == id }
    try? await lazyStore.store().endCooldowns(of: id)
    guard let provider = try? registry.provider(id) else { return }
    _ = await status(of: provider)
  }

  /// Cancels the scheduled looks.
  func stop() {
    for alarm in alarms.values { alarm.cancel() }
    alarms = [:]
  }

  private func cooldowns(of id: ProviderID) async -> [Cooldown] {
    let now = surroundings.now()
    unrecorded.removeAll { !$0.isRemembered(at: now) }
    let own = unrecorded.filter { $0.provider == id && !$0.isOver(at: now) }
    guard let store = try? await lazyStore.store() else { return own }
    return own + ((try? await store.cooldowns(of: id)) ?? [])
  }

  /// Announces a change, and schedules a look for the end of a pause.
  private func notice(_ status: ProviderStatus) {
    let before = known.updateValue(status, forKey: status.id)
    if let before, before.available != status.available || before.cooldownUntil != status.cooldownUntil {
      announce(
        .providerChanged(
          ProviderChanged(id: status.id, available: status.available, cooldownUntil: status.cooldownUntil)))
    }
    guard status.cooldownUntil != before?.cooldownUntil || (status.cooldownUntil != nil && alarms[status.id] == nil)
    else { return }
    alarms.removeValue(forKey: status.id)?.cancel()
    guard let until = status.cooldownUntil else { return }
    let wait = max(0, until.milliseconds - surroundings.now().milliseconds)
    alarms[status.id] = Task { [surroundings] in
      guard (try? await surroundings.sleep(.milliseconds(wait))) != nil else { return }
      await self.pauseEnded(of: status.id)
    }
  }

  private func pauseEnded(of id: ProviderID) async {
    alarms[id] = nil
    guard let provider = try? registry.provider(id) else { return }
    _ = await status(of: provider)
  }

  private func status(
    of provider: any ImageProvider, _ availability: ProviderAvailability, cooldowns: [Cooldown], now: Timestamp
  ) -> ProviderStatus {
    let isOut = outages.contains(provider.id)
    let cooldown = cooldowns.last(for: provider.profile.models.first ?? "")
    let isUsable = availability.available && cooldown == nil && !isOut
    let refusal = cooldown?.refusal(at: now)
    let paused = cooldowns.compactMap { cooldown in
      cooldown.model.map { PausedModel(model: $0, until: cooldown.until) }
    }
    return ProviderStatus(
      id: provider.id, available: isUsable,
      reason: availability.reason ?? refusal?.sentence ?? (isOut ? ErrorKind.offline.sentence : nil),
      hint: availability.hint ?? refusal?.hint, needsKey: availability.needsKey, cooldownUntil: cooldown?.until,
      pausedModels: paused.isEmpty ? nil : paused)
  }
}

extension AtelierError {
  /// Whether the provider was asked too often, and time alone helps. An exhausted quota that time does not restore
  /// causes no pause: the provider reports it, and each request asks anew, because somebody may have fixed it
  /// meanwhile.
  fileprivate var callsForPause: Bool {
    switch kind.consequences.pause {
    case .none: false
    case .brief: true
    case .untilRenewed: retryable != false
    }
  }

  /// Whether the limit applies to the key, whichever model is asked.
  fileprivate var isAboutKey: Bool { details["scope"]?.string == "key" }
}

extension [Cooldown] {
  /// The last to end of the pauses that apply to `model`.
  fileprivate func last(for model: String) -> Cooldown? {
    filter { $0.concerns(model) }.max { $0.until < $1.until }
  }
}

extension Cooldown {
  /// The error for a request during the pause, with the time that remains.
  func refusal(at now: Timestamp) -> AtelierError {
    let remaining = Int(max(0, until.milliseconds - now.milliseconds))
    var error =
      kind.consequences.pause == .untilRenewed
      ? AtelierError(kind, message, retryAfterMs: remaining, provider: provider, details: details)
      : AtelierError(.coolingDown, retryAfterMs: remaining, provider: provider, details: details)
    error.details["cooldownUntil"] = .string(until.text)
    return error
  }
}
