import AtelierProtocol
import Store

extension Engine {
  /// The metrics for Prometheus: of the data directory, which all its processes share, and of this process.
  /// - Parameter includesProcess: false for a process that only looks.
  /// - Throws: what the store throws.
  public func metrics(includingProcess includesProcess: Bool) async throws -> String {
    let stored = try await lazyStore.store().metrics()
    var text = PrometheusText()
    text.add("atelier_build_info", .gauge, "The version of Atelier.", [([("version", Version.current)], "1")])
    text.add(stored)
    text.add(
      "atelier_queue_waiting", .gauge, "Generations that wait in the offline queue for their provider or for a process.",
      providers.ids.map { ([("provider", $0.rawValue)], "\(stored.waiting[$0.rawValue] ?? 0)") })
    let now = surroundings.now()
    text.add(
      "atelier_provider_cooldown_seconds", .gauge, "How long the provider, or a model of it, is still paused; 0 if not.",
      providers.ids.map { id in
        let pauses = stored.cooldowns.filter { $0.provider == id && !$0.isOver(at: now) }
        let longest = pauses.map { $0.until.milliseconds - now.milliseconds }.max() ?? 0
        return ([("provider", id.rawValue)], PrometheusText.seconds(longest))
      })
    if includesProcess { await addProcess(to: &text) }
    return text.text
  }

  private func addProcess(to text: inout PrometheusText) async {
    var available: [(labels: [(String, String)], value: String)] = []
    for provider in providers.all {
      let isAvailable = await monitor.status(of: provider).available
      available.append(([("provider", provider.id.rawValue)], isAvailable ? "1" : "0"))
    }
    text.add("atelier_provider_available", .gauge, "Whether this process can ask the provider now.", available)
    text.add(
      "atelier_worker_restarts_total", .counter,
      "Workers of this process that were started in place of one that died or was killed.", await worker.restarts)
    text.add(
      "atelier_process_uptime_seconds", .gauge, "Seconds since this process started.",
      [([], PrometheusText.seconds(surroundings.uptimeMs() - startedAtMs))])
    text.add(
      "atelier_process_resident_memory_bytes", .gauge, "Resident memory of this process, without its worker.",
      Self.residentBytes)
  }
}

extension PrometheusText {
  /// Adds what the data directory knows.
  fileprivate mutating func add(_ stored: StoredMetrics) {
    add("atelier_store_schema_version", .gauge, "The version of the database's schema.", stored.schemaVersion)
    add(
      "atelier_store_bytes", .gauge, "The size of the database, and of all pictures.",
      [([("part", "database")], "\(stored.databaseBytes)"), ([("part", "artifacts")], "\(stored.artifactBytes)")])
    add(
      "atelier_credits_held", .gauge, "Credits held for generations that have not ended.", stored.creditsHeld)
    add(
      "atelier_generations_open", .gauge, "Generations that have not ended, in any process.",
      [GenerationState.queued, .running].map { ([("state", $0.rawValue)], "\(stored.open[$0.rawValue] ?? 0)") })
    add(
      "atelier_generations_total", .counter, "Generations that have ended, including those deleted since.",
      stored.sums(by: { [$0.recipe, $0.provider, $0.state] }).map { kind, tallies in
        (
          [("recipe", kind[0]), ("provider", kind[1]), ("state", kind[2])],
          "\(tallies.reduce(0) { $0 + $1.generations })"
        )
      })
    add(
      "atelier_generation_duration_seconds",
      "From acceptance to end, of generations that delivered and were not answered from the cache.",
      stored.timed.sums(by: { [$0.recipe, $0.provider] }).map { kind, tallies in
        Histogram(
          labels: [("recipe", kind[0]), ("provider", kind[1])],
          counts: StoredMetrics.durationBounds.map { bound in
            (bound, tallies.filter { $0.bucket == bound }.reduce(0) { $0 + $1.generations })
          }, milliseconds: tallies.reduce(0) { $0 + $1.milliseconds })
      })
  }
}

extension StoredMetrics {
  /// Without those that are not timed.
  fileprivate var timed: StoredMetrics {
    var timed = self
    timed.tallies.removeAll { $0.bucket == 0 }
    return timed
  }

  /// The tallies that have the same `kind`, in order of it.
  fileprivate func sums(by kind: (Tally) -> [String]) -> [(kind: [String], tallies: [Tally])] {
    Dictionary(grouping: tallies, by: kind).map { ($0, $1) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
  }
}
