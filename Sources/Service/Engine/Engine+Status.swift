import AtelierProtocol
import Glibc
import Store

extension Engine {
  /// Carries out `status` in its two forms.
  /// - Throws: `not_found`, `permission_denied`.
  public func status(_ request: Status, for caller: Caller) async throws -> Status.Result {
    if let target = request.target {
      return .generation(try await generations.status(of: target, account: request.account, for: caller))
    }
    guard request.metrics == true else { return .service(await serviceStatus()) }
    guard !caller.isConfined else {
      throw AtelierError(
        .permissionDenied,
        hint: "Metrics are about all accounts: a confined connection may not read them.")
    }
    var status = await serviceStatus()
    status.metrics = try await metrics(includingProcess: true)
    return .service(status)
  }

  private func serviceStatus() async -> ServiceStatus {
    let load = await generations.load()
    let health = await health()
    return ServiceStatus(
      version: Version.current, uptimeMs: surroundings.uptimeMs() - startedAtMs, inFlight: load.running,
      queued: load.queued, providers: health.providers, store: health.store,
      counters: await generations.counters, memoryBytes: Self.residentBytes, confinement: worker.confinement)
  }

  /// As far as the store answers; otherwise as it was known last.
  private func health() async -> HealthMemory.Health {
    var unasked: [ProviderStatus] = []
    for provider in providers.all { unasked.append(await monitor.statusOfItself(of: provider)) }
    let unknown = HealthMemory.Health(
      store: ServiceStatus.StoreHealth(path: dataDirectory, schemaVersion: 0, healthy: false), providers: unasked)
    return await healthMemory.health(
      asking: {
        var statuses: [ProviderStatus] = []
        for provider in providers.all { statuses.append(await monitor.status(of: provider)) }
        return HealthMemory.Health(store: await storeHealth(), providers: statuses)
      }, orElse: unknown)
  }

  private func storeHealth() async -> ServiceStatus.StoreHealth {
    let store: Store
    do {
      store = try await lazyStore.store(ifDueAtMs: surroundings.uptimeMs())
    } catch {
      // Opening it fails, or recovering what dead processes left behind: an open store knows more about that.
      guard let opened = await lazyStore.storeIfOpen else {
        return ServiceStatus.StoreHealth(
          path: dataDirectory, schemaVersion: 0, healthy: false, problem: AtelierError(wrapping: error).forOperators)
      }
      store = opened
    }
    let status = await store.status()
    return ServiceStatus.StoreHealth(
      path: status.path, schemaVersion: status.schemaVersion, healthy: status.isHealthy, problem: status.problem,
      clockDoubt: status.clockDoubt.map {
        ServiceStatus.ClockDoubt(now: $0.now, latest: $0.latest, message: $0.sentence)
      }, unfinishedDeletions: status.unfinishedDeletions == 0 ? nil : status.unfinishedDeletions)
  }

  /// Resident memory of this process, from the kernel's count of pages.
  static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    // `fgets` writes no more than the count it is given, with a terminating zero.
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}

extension ServiceStatus.Counters {
  /// Counts a generation that has ended.
  mutating func count(_ generation: Generation) {
    switch generation.state {
    case .succeeded: succeeded += 1
    case .partial: partial += 1
    case .cancelled: cancelled += 1
    case .failed, .interrupted, .expired: failed += 1
    case .queued, .running: break
    }
    if generation.cached { cached += 1 }
  }
}
