import AtelierProtocol
import Providers
import Store
import Synchronization

/// What becomes of requests that wait for their provider.
public struct QueuePolicy: Sendable, Equatable {
  /// How long one waits that does not say, in milliseconds.
  public var deadlineMs: Int64 = 24 * 3_600_000
  /// How often the provider may refuse one before it fails.
  public var attempts = 5
  /// The pauses between two looks at a provider that cannot be reached.
  public var probes = ProbeBackoff(firstMs: 1000, longestMs: 60_000)

  public init() {}
}

/// Who begins what comes out of the queue: the owner of the live generations.
protocol QueueHost: Actor {
  /// Takes a slot of a provider for a generation that is to be chosen.
  /// - Returns: false when none is free.
  func reserveSlot(of provider: ProviderID) -> Bool
  /// Gives a reserved slot back.
  func dropReservedSlot(of provider: ProviderID)
  /// Works on a generation that was claimed, in the slot reserved for it.
  func begin(claimed row: GenerationRow) async
  /// Opens the store, where nobody has yet.
  func openStore() async throws -> Store
  /// Settles what processes that died left behind.
  func settle() async throws
  /// Learns how the queue stands.
  func queueStands(_ standing: QueueState)
  /// Learns which generations were given up because they waited too long.
  func expired(_ rows: [GenerationRow]) async
}

/// Looks after the queue that all processes share: finds out when a provider can be reached again, and claims what waits,
/// one generation at a time, where a slot is free and the provider can be asked.
///
/// Only a process that serves a host claims what is nobody's. A process that leaves claims nothing.
actor OfflineQueue {
  /// What may be claimed.
  private enum Claims {
    case nothing
    /// What hosts of this process wait for.
    case own
    case everything
  }

  /// How long a service with nothing to do lets the queue be, in milliseconds: another process may have left work there.
  static let idleMs = 3_000
  /// A probe takes no longer, in milliseconds.
  private static let probeLeaseMs = 20_000

  private let parts: EngineParts
  private var claims = Claims.own
  /// The probes of providers that cannot be reached.
  private var probes: [ProviderID: Task<Void, Never>] = [:]
  /// The look that is to come before the next heartbeat.
  private var soon: Task<Void, Never>?
  /// The last look that was begun.
  private var lastLook: Task<Void, Never>?
  /// Looks while nothing else makes this process look.
  private var watch: Task<Void, Never>?

  init(_ parts: EngineParts) { self.parts = parts }

  /// Claims what is nobody's as well from now on.
  /// - Parameter isUsed: whether the data directory has a database: without one there is no queue, and none is made.
  func serve(for host: any QueueHost, isUsed: @escaping @Sendable () async -> Bool) {
    guard claims == .own else { return }
    claims = .everything
    watch = Task { [weak self, weak host, parts] in
      var mayOpen = true
      while (try? await parts.surroundings.sleep(.milliseconds(Self.idleMs))) != nil, let self, let host {
        if mayOpen, await parts.lazyStore.openedStore() == nil, await isUsed() {
          // A database that cannot be used is told of once here, and to whoever asks for something.
          mayOpen = (try? await host.openStore()) != nil
        }
        await look(for: host)
      }
    }
  }

  /// Whether this process looks after what is nobody's.
  var isServing: Bool { claims == .everything }

  /// Claims nothing from now on, and waits for no probe.
  func stop() {
    claims = .nothing
    watch?.cancel()
    soon?.cancel()
    for probe in probes.values { probe.cancel() }
  }

  /// Claims what hosts of this process wait for once more, without probing, and then nothing any more.
  func stopAfterLastLook(for host: any QueueHost) async {
    if claims == .everything { claims = .own }
    watch?.cancel()
    for probe in probes.values { probe.cancel() }
    await look(for: host)
    stop()
  }

  /// Looks at the queue before the next heartbeat does. What comes at the same time is one look.
  func lookSoon(for host: any QueueHost) {
    guard soon == nil, claims != .nothing else { return }
    soon = Task {
      await Task.yield()
      soon = nil
      if !Task.isCancelled { await look(for: host) }
    }
  }

  /// Looks how the queue stands, and does what that calls for. One look after the other: what one has seen is not told,
  /// or done, after what a later one has.
  func look(for host: any QueueHost) async {
    let earlier = lastLook
    let next = Task {
      await earlier?.value
      await lookAlone(for: host)
    }
    lastLook = next
    await next.value
  }

  private func lookAlone(for host: any QueueHost) async {
    guard let store = await parts.lazyStore.openedStore() else { return }
    if await store.hasLostAnOwner() { try? await host.settle() }
    guard var standing = try? await store.queueStanding() else { return }
    let now = parts.surroundings.now()
    if let deadline = standing.nextDeadline, deadline <= now, let rows = try? await store.expireWaiting() {
      await host.expired(rows)
      standing = (try? await store.queueStanding()) ?? standing
    }
    await parts.monitor.know(outages: Set(standing.outages.keys))
    await host.queueStands(standing)
    if standing.isPaused { return }
    for id in standing.waiting.keys.sorted() {
      guard claims != .nothing, let provider = try? parts.providers.provider(id) else { continue }
      if let outage = standing.outages[id] {
        if outage.nextProbe <= now { probe(provider, in: store, for: host) }
      } else {
        await claim(for: provider, in: store, host: host)
      }
    }
  }

  /// Begins what waits for a provider, as much as there are slots for.
  private func claim(for provider: any ImageProvider, in store: Store, host: any QueueHost) async {
    var hasClaimed = false
    while claims != .nothing, await provider.availability().available,
      await host.reserveSlot(of: provider.id)
    {
      do {
        let row = try await store.claimNext(
          for: provider.id, includingUnowned: claims == .everything,
          standardModel: provider.profile.models.first ?? "", perAccount: parts.configuration.mostRunningAtOnce)
        guard let row else {
          await host.dropReservedSlot(of: provider.id)
          break
        }
        hasClaimed = true
        await host.begin(claimed: row)
      } catch {
        // Where nothing could be written nothing was begun; the next beat tries again.
        await host.dropReservedSlot(of: provider.id)
        break
      }
    }
    if hasClaimed, let standing = try? await store.queueStanding() { await host.queueStands(standing) }
  }

  // MARK: Probes

  /// Looks whether a provider can be reached again, unless another process does.
  private func probe(_ provider: any ImageProvider, in store: Store, for host: any QueueHost) {
    guard probes[provider.id] == nil else { return }
    probes[provider.id] = Task {
      let policy = parts.configuration.queue.probes
      if (try? await store.claimProbe(of: provider.id, leaseMs: Self.probeLeaseMs)) == true {
        do {
          try await provider.probe()
          try? await store.endOutage(of: provider.id)
        } catch {
          try? await store.putOffProbe(of: provider.id, policy)
        }
      }
      probes[provider.id] = nil
      if !Task.isCancelled { await look(for: host) }
    }
  }

  /// Notes that a provider can be reached after all: it has just made a picture.
  func endOutage(of provider: ProviderID, host: any QueueHost) async {
    guard let store = await parts.lazyStore.openedStore() else { return }
    try? await store.endOutage(of: provider)
    await look(for: host)
  }
}

extension EngineConfiguration {
  /// How many requests of a metered account may run at a time.
  var mostRunningAtOnce: Int {
    credits.limits.filter { $0.window == .concurrent && $0.recipe == nil }.map(\.limit).min() ?? .max
  }
}

/// Sees what becomes of every try at the pictures of one generation: whether a provider may have begun paid work.
final class SendingRecord: Sendable {
  /// How many tries that were sent have no answer yet, and whether one that has may have led to work.
  private let tries = Mutex((unanswered: 0, mayHaveBegun: false))

  /// True while nothing that was sent waits for its answer, and all that was sent provably led to no work.
  var isUnsent: Bool { tries.withLock { $0.unanswered == 0 && !$0.mayHaveBegun } }

  /// One try at one picture.
  final class Try: Sendable {
    private let record: SendingRecord
    private let isSent = Mutex(false)

    init(_ record: SendingRecord) { self.record = record }

    /// To be called before the first byte leaves; once is enough.
    func isBeingSent() {
      let wasSent = isSent.withLock { isSent in
        defer { isSent = true }
        return isSent
      }
      if !wasSent { record.tries.withLock { $0.unanswered += 1 } }
    }

    /// - Parameter failure: nil for a try that succeeded.
    func end(with failure: (any Error)?) {
      let wasSent = isSent.withLock(\.self)
      // What is broken off before it is sent is nobody's work; of any other end the provider has to prove it.
      let mayHaveBegun =
        failure is CancellationError ? wasSent : failure.map { !AtelierError(wrapping: $0).isWorthWaitingFor } ?? true
      record.tries.withLock {
        if wasSent { $0.unanswered -= 1 }
        if mayHaveBegun { $0.mayHaveBegun = true }
      }
    }
  }
}

extension AtelierError {
  /// Whether the provider provably did no work, and may do it later without anybody changing the request: it was not
  /// reached, said before doing anything that it is out of order, or asked for a pause.
  ///
  /// A quota that is used up is not waited for, nor a key that is missing: both want somebody to do something.
  var isWorthWaitingFor: Bool {
    guard isRetryable, !mayHaveBeenCharged else { return false }
    switch kind {
    case .offline, .providerUnavailable, .coolingDown: return true
    // An account's own limit names no provider.
    case .rateLimited: return provider != nil
    default: return false
    }
  }
}
