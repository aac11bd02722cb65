import AtelierProtocol
import Engine
import ServiceFixture
import Store
import Testing

@Suite("Metrics", .timeLimit(.minutes(3)))
struct MetricsTests {
  private func lines(_ engine: TestEngine, _ prefix: String) async throws -> [String] {
    try await engine.engine.metrics(includingProcess: true).split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(prefix) }
  }

  @Test("metrics count by recipe, provider and state, never go back, and time what delivered")
  func counts() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([
      ScriptedProvider(script: { request, _ in
        if request.prompt?.contains("two") == true { throw AtelierError(.contentBlocked) }
        return try ScriptedProvider.picture()
      })
    ])
    let first = try await engine.generate(.picture("one")).value
    _ = try? await engine.generate(.picture("two")).value
    _ = try await engine.generate(.picture("three")).value
    // Answered from history, so it is counted and not timed.
    #expect(try await engine.generate(.picture("three")).value.cached)
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation(first.generationId, account: nil)), for: Caller())
    #expect(try await lines(engine, "atelier_generations_total") == [
      #"atelier_generations_total{recipe="create",provider="scripted",state="failed"} 1"#,
      #"atelier_generations_total{recipe="create",provider="scripted",state="succeeded"} 3"#,
    ])
    #expect(try await lines(engine, "atelier_generation_duration_seconds_count") == [
      #"atelier_generation_duration_seconds_count{recipe="create",provider="scripted"} 2"#
    ])
    #expect(
      try await lines(engine, "atelier_store_schema_version") == ["atelier_store_schema_version \(Store.schemaVersion)"])
    #expect(try await lines(engine, "atelier_worker_restarts_total") == ["atelier_worker_restarts_total 0"])
    #expect(try await lines(engine, "atelier_queue_waiting") == [#"atelier_queue_waiting{provider="scripted"} 0"#])
    await engine.leave()
  }

  @Test("metrics tell what runs and what is held meanwhile")
  func running() async throws {
    let gate = Gate()
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
    let work = engine.generate(.picture(account: "anna"))
    await gate.hasSeen()
    #expect(try await lines(engine, "atelier_generations_open") == [
      #"atelier_generations_open{state="queued"} 0"#, #"atelier_generations_open{state="running"} 1"#,
    ])
    #expect(try await lines(engine, "atelier_credits_held") == ["atelier_credits_held 1"])
    gate.open()
    _ = try await work.value
    #expect(try await lines(engine, "atelier_credits_held") == ["atelier_credits_held 0"])
    await engine.leave()
  }

  @Test("metrics come with status where they are asked for, and not on a confined connection")
  func status() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider()])
    guard case .service(let plain) = try await engine.engine.status(Status(), for: Caller()),
      case .service(let full) = try await engine.engine.status(Status(metrics: true), for: Caller())
    else {
      Issue.record("not the service")
      return
    }
    #expect(plain.metrics == nil && full.metrics?.contains("atelier_process_uptime_seconds") == true)
    let refusal = await #expect(throws: AtelierError.self) {
      try await engine.engine.status(Status(metrics: true), for: Caller(confinedTo: "anna"))
    }
    #expect(refusal?.kind == .permissionDenied)
    await engine.leave()
  }
}
