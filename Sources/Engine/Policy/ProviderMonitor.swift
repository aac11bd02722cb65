import AtelierProtocol
import JSONRPC
import Providers
import Store

/// Knows which providers can be asked now: what each says of itself, and the pauses they asked for, which all processes
/// of the data directory share (REQUIREMENTS 3.4, 5.4).
public actor ProviderMonitor {
  private let registry: ProviderRegistry
  private let door: StoreDoor
  private let surroundings: Surroundings
  /// The pause after a refusal that names none, in milliseconds.
  private let cooldownMs: Int
  private let announce: @Sendable (Announcement) -> Void
  /// What was last told, or last seen before anything was told.
  private var known: [ProviderID: ProviderStatus] = [:]
  /// Pauses of this process that the store could not take.
  private var unrecorded: [ProviderID: Cooldown] = [:]
  /// Those that could not be reached when somebody last looked; requests may ask them all the same.
  private var outages: Set<ProviderID> = []
  private var alarms: [ProviderID: Task<Void, Never>] = [:]

  /// - Parameter announce: told when a provider becomes available or ceases to be; must not block.
  init(
    registry: ProviderRegistry, door: StoreDoor, surroundings: Surroundings, cooldownMs: Int,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.registry = registry
    self.door = door
    self.surroundings = surroundings
    self.cooldownMs = cooldownMs
    self.announce = announce
  }

  /// Whether a provider can be asked now.
  public func status(of provider: any ImageProvider) async -> ProviderStatus {
    let status = self.status(
      of: provider, await provider.availability(), cooldown: await cooldown(of: provider.id), now: surroundings.now())
    notice(status)
    return status
  }

  /// Why a provider cannot be asked now.
  /// - Returns: nil when it can; else `no_api_key`, `cooling_down` or `quota_exhausted` with the remaining time, or
  ///   `provider_unavailable`.
  func refusal(of provider: any ImageProvider) async -> AtelierError? {
    let availability = await provider.availability()
    let cooldown = await cooldown(of: provider.id)
    let now = surroundings.now()
    notice(self.status(of: provider, availability, cooldown: cooldown, now: now))
    if availability.needsKey { return AtelierError(.noApiKey, availability.reason, provider: provider.id) }
    if !availability.available { return AtelierError(.providerUnavailable, availability.reason, provider: provider.id) }
    return cooldown?.refusal(at: now)
  }

  /// Learns from a provider's failure: one that was asked too often is left alone for as long as it wants, by every
  /// process (REQUIREMENTS 5.4).
  func note(_ error: AtelierError, of provider: any ImageProvider) async {
    guard error.kind == .rateLimited || error.kind == .quotaExhausted else { return }
    let now = surroundings.now()
    let pause = Int64(min(max(error.retryAfterMs ?? cooldownMs, 0), 86_400_000))
    let cooldown = Cooldown(
      provider: provider.id, until: Timestamp(milliseconds: now.milliseconds + pause), kind: error.kind,
      message: error.message, details: error.details)
    if known[provider.id] == nil {
      known[provider.id] = self.status(of: provider, await provider.availability(), cooldown: nil, now: now)
    }
    do {
      try await door.store().coolDown(cooldown)
    } catch {
      unrecorded[provider.id] = cooldown
    }
    _ = await status(of: provider)
  }

  /// Learns which providers cannot be reached, and tells of those that this changes.
  func know(outages now: Set<ProviderID>) async {
    let changed = outages.symmetricDifference(now)
    if changed.isEmpty { return }
    for provider in registry.all where changed.contains(provider.id) {
      // There is no change to announce without a before.
      if known[provider.id] == nil { _ = await status(of: provider) }
    }
    outages = now
    for provider in registry.all where changed.contains(provider.id) { _ = await status(of: provider) }
  }

  /// To be called when a provider's key was set or deleted: a pause that another key earned does not count for it.
  public func keyChanged(of id: ProviderID) async {
    unrecorded[id] = nil
    try? await door.store().endCooldown(of: id)
    guard let provider = try? registry.provider(id) else { return }
    _ = await status(of: provider)
  }

  /// Ends what waits.
  func stop() {
    for alarm in alarms.values { alarm.cancel() }
    alarms = [:]
  }

  private func cooldown(of id: ProviderID) async -> Cooldown? {
    let now = surroundings.now()
    if let own = unrecorded[id] {
      if now < own.until { return own }
      unrecorded[id] = nil
    }
    guard let store = try? await door.store() else { return nil }
    return try? await store.cooldown(of: id)
  }

  /// Announces a change, and looks again when a pause is over.
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
    of provider: any ImageProvider, _ availability: ProviderAvailability, cooldown: Cooldown?, now: Timestamp
  ) -> ProviderStatus {
    let isOut = outages.contains(provider.id)
    let isUsable = availability.available && cooldown == nil && !isOut
    let reason = availability.reason ?? cooldown?.refusal(at: now).message
    return ProviderStatus(
      id: provider.id, available: isUsable,
      reason: reason ?? (isOut ? ErrorKind.offline.sentence : nil), needsKey: availability.needsKey,
      cooldownUntil: cooldown?.until)
  }
}

extension Cooldown {
  /// What a request is told that comes before the pause is over, with the time that remains.
  func refusal(at now: Timestamp) -> AtelierError {
    let remaining = Int(max(0, until.milliseconds - now.milliseconds))
    var error =
      kind == .quotaExhausted
      ? AtelierError(.quotaExhausted, message, retryAfterMs: remaining, provider: provider, details: details)
      : AtelierError(.coolingDown, retryAfterMs: remaining, provider: provider, details: details)
    error.details["cooldownUntil"] = .string(until.text)
    return error
  }
}
