import AtelierProtocol
import Providers
import Store

/// Serves the offline queue that all processes share: probes unreachable providers, and claims waiting generations one
/// at a time while a slot is free and the provider can be asked.
///
/// Only a process that serves a host claims generations that no host of a process waits for. A leaving process claims
/// nothing.
actor OfflineQueue {
  /// Which generations may be claimed.
  private enum Claims {
    case nothing
    /// Those that hosts of this process wait for.
    case own
    case everything
  }

  /// What a look changes in the store.
  private enum Change: Hashable {
    case recover, expire, claim(ProviderID), probe(ProviderID)
  }

  /// How often an idle service looks at the queue, in milliseconds: another process may have left work there.
  static let idleMs = 3_000
  /// The longest time a probe may take, in milliseconds.
  private static let probeLeaseMs = 20_000

  private let parts: EngineParts
  private var claims = Claims.own
  /// The running probes of unreachable providers.
  private var probes: [ProviderID: Task<Void, Never>] = [:]
  /// The look scheduled before the next heartbeat.
  private var soon: Task<Void, Never>?
  /// The latest look that was started.
  private var lastLook: Task<Void, Never>?
  /// Looks periodically while nothing else triggers a look.
  private var watch: Task<Void, Never>?
  /// When changes that could not be written are tried again. Each look finds the same reason to make them.
  private var pauses: [Change: RetryPauses] = [:]

  init(_ parts: EngineParts) { self.parts = parts }

  /// From now on also claims generations that no host of a process waits for.
  /// - Parameter isUsed: whether the data directory has a database; without one there is no queue, and none is created.
  func serve(for generations: GenerationManager, isUsed: @escaping @Sendable () async -> Bool) {
    guard claims == .own else { return }
    claims = .everything
    watch = Task { [weak self, weak generations, parts] in
      var mayOpen = true
      while (try? await parts.surroundings.sleep(.milliseconds(Self.idleMs))) != nil, let self, let generations {
        if mayOpen, await parts.lazyStore.storeIfOpen == nil, await isUsed() {
          // An unusable database is reported once here, and to every request that needs it.
          mayOpen = (try? await parts.lazyStore.store()) != nil
        }
        await look(for: generations)
      }
    }
  }

  /// Whether this process also claims generations that no host of a process waits for.
  var isServing: Bool { claims == .everything }

  /// Claims nothing from now on and cancels the probes.
  func stop() {
    claims = .nothing
    watch?.cancel()
    soon?.cancel()
    for probe in probes.values { probe.cancel() }
  }

  /// Claims once more what hosts of this process wait for, without probing, and then stops.
  func stopAfterLastLook(for generations: GenerationManager) async {
    if claims == .everything { claims = .own }
    watch?.cancel()
    for probe in probes.values { probe.cancel() }
    await look(for: generations)
    stop()
  }

  /// Looks at the queue before the next heartbeat. Simultaneous calls share one look.
  func lookSoon(for generations: GenerationManager) {
    guard soon == nil, claims != .nothing else { return }
    soon = Task {
      await Task.yield()
      soon = nil
      if !Task.isCancelled { await look(for: generations) }
    }
  }

  /// Looks at the queue and acts on its state. Looks run one after the other, so an older state is never reported or
  /// acted on after a newer one.
  func look(for generations: GenerationManager) async {
    let earlier = lastLook
    let next = Task {
      await earlier?.value
      await lookAlone(for: generations)
    }
    lastLook = next
    await next.value
  }

  private func lookAlone(for generations: GenerationManager) async {
    guard let store = await parts.lazyStore.storeIfOpen else { return }
    guard case (var queueState, let processes)? = try? await store.queueStateAndProcesses() else { return }
    if isDue(.recover), await store.isAnyGone(of: processes) {
      await attempt(.recover) { try await parts.lazyStore.recover() }
      queueState = (try? await store.queueState()) ?? queueState
    }
    let now = parts.surroundings.now()
    if let deadline = queueState.nextDeadline, deadline <= now,
      let rows = await attempt(.expire, { try await store.expireWaiting() })
    {
      await generations.expired(rows)
      queueState = (try? await store.queueState()) ?? queueState
    }
    await parts.monitor.know(outages: Set(queueState.outages.keys))
    await generations.queueChanged(to: queueState)
    if queueState.isPaused { return }
    for id in queueState.providers {
      guard claims != .nothing, let provider = try? parts.providers.provider(id) else { continue }
      if let outage = queueState.outages[id] {
        if outage.nextProbe <= now { probe(provider, in: store, for: generations) }
      } else {
        await claim(for: provider, in: store, for: generations)
      }
    }
  }

  private func isDue(_ change: Change) -> Bool {
    pauses[change]?.isDue(atMs: parts.surroundings.uptimeMs()) ?? true
  }

  /// Makes a change, unless it could not be written shortly before.
  /// - Returns: nil when it is not made.
  @discardableResult
  private func attempt<Value: Sendable>(_ change: Change, _ write: () async throws -> Value) async -> Value? {
    guard isDue(change) else { return nil }
    do {
      let value = try await write()
      pauses[change] = nil
      return value
    } catch {
      pauses[change, default: RetryPauses()].failed(atMs: parts.surroundings.uptimeMs())
      return nil
    }
  }

  /// Claims and starts generations that wait for a provider while slots are free.
  private func claim(for provider: any ImageProvider, in store: Store, for generations: GenerationManager) async {
    var hasClaimed = false
    // A pause that is not on record would hold back no claim.
    while claims != .nothing, await provider.availability().available,
      await parts.monitor.recordPauses(of: provider.id), await generations.reserveSlot(of: provider.id)
    {
      // If the claim cannot be written, nothing is started.
      let claimed = await attempt(.claim(provider.id)) {
        try await store.claimNext(
          for: provider.id, includingUnclaimed: claims == .everything,
          standardModel: provider.profile.models.first ?? "", standardTextModel: provider.profile.textModels.first ?? "",
          perAccount: parts.configuration.mostRunningAtOnce)
      }
      guard let claimed, let row = claimed else {
        await generations.dropReservedSlot(of: provider.id)
        break
      }
      hasClaimed = true
      await generations.begin(claimed: row)
    }
    if hasClaimed, let queueState = try? await store.queueState() { await generations.queueChanged(to: queueState) }
  }

  // MARK: Probes

  /// Probes whether a provider can be reached again, unless another process does.
  private func probe(_ provider: any ImageProvider, in store: Store, for generations: GenerationManager) {
    guard probes[provider.id] == nil else { return }
    probes[provider.id] = Task {
      let hasProbed = await probeAlone(provider, in: store)
      probes[provider.id] = nil
      if hasProbed, !Task.isCancelled { await look(for: generations) }
    }
  }

  /// - Returns: whether there may be news. Where the claim could not be written, a look would only find it due again.
  private func probeAlone(_ provider: any ImageProvider, in store: Store) async -> Bool {
    let isClaimed = await attempt(.probe(provider.id)) {
      try await store.claimProbe(of: provider.id, leaseMs: Self.probeLeaseMs)
    }
    guard isClaimed == true else { return false }
    // The claim lasts for as long as the outcome cannot be written.
    do {
      try await provider.probe()
      try? await store.endOutage(of: provider.id)
    } catch {
      try? await store.putOffProbe(of: provider.id, parts.configuration.queue.probes)
    }
    return true
  }

  /// Records that a provider is reachable again: it has just made a picture.
  func endOutage(of provider: ProviderID, for generations: GenerationManager) async {
    guard let store = await parts.lazyStore.storeIfOpen else { return }
    try? await store.endOutage(of: provider)
    await look(for: generations)
  }
}

extension EngineConfiguration {
  /// How many requests of a metered account may run at the same time.
  var mostRunningAtOnce: Int {
    credits.limits.filter { $0.window == .concurrent && $0.recipe == nil }.map(\.limit).min() ?? .max
  }
}

extension AtelierError {
  /// Whether the provider provably did no work and may do it later without a change to the request: it was not reached,
  /// reported that it is out of order before doing anything, or asked for a pause.
  ///
  /// A used-up quota or a missing key is not worth waiting for: both need somebody to act.
  var isWorthWaitingFor: Bool {
    guard isRetryable, !mayHaveBeenCharged else { return false }
    return switch kind.consequences.waiting {
    case .yes: true
    case .ifOfAProvider: provider != nil
    case .no: false
    }
  }
}
