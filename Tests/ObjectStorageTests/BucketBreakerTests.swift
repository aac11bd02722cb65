import CurlHTTP
import Testing

@testable import ObjectStorage

@Suite("A storage that leaves requests without an answer")
struct BucketBreakerTests {
  private static let silence = ScriptedClient.failure(.timedOut(.total))
  private static let list = ScriptedClient.answer(200, "<ListBucketResult/>")

  @Test("a question has two tries of less than five seconds; then all are refused at once, and asked nothing")
  func opens() async throws {
    let scripted = try ScriptedBucket([Self.silence, Self.silence])
    for _ in 0..<3 {
      let error = await #expect(throws: BucketError.self) { try await scripted.bucket.reach() }
      #expect(error?.kind == .unreachable(.timedOut(.total)))
    }
    await #expect(throws: BucketError.self) { try await scripted.bucket.put([1], as: "a", mimeType: "image/png") }
    #expect(scripted.client.requests.count == 2)
    let limits = scripted.client.requests.map(\.limits)
    #expect(limits.allSatisfy { $0.total * 2 + .milliseconds(100) < .seconds(10) })
  }

  @Test("one lost answer says nothing")
  func once() async throws {
    let scripted = try ScriptedBucket([Self.silence, Self.list, Self.silence, Self.list])
    for _ in 0..<2 { try await scripted.bucket.reach() }
    #expect(scripted.client.requests.count == 4)
  }

  @Test("a picture on its way has as long as bytes move, and one try; whoever waits for bytes has seconds for the first")
  func transfers() async throws {
    let picture = [UInt8](repeating: 7, count: 1_000_000)
    let put = try ScriptedBucket([Self.silence])
    await #expect(throws: BucketError.self) { try await put.bucket.put(picture, as: "a", mimeType: "image/png") }
    let limits = try #require(put.client.requests.first?.limits)
    #expect(put.client.requests.count == 1 && limits.total > .seconds(60) && limits.answer == .seconds(30))
    let get = try ScriptedBucket([Self.silence])
    await #expect(throws: BucketError.self) { try await get.bucket.object("a", atMost: 1_000_000) }
    #expect(get.client.requests.count == 1)
    #expect(try #require(get.client.requests.first?.limits.answer) < .seconds(10))
  }

  @Test("one question finds out for all after a while whether it answers again, before anything larger is sent")
  func halfOpen() async throws {
    let uptime = Uptime()
    let picture = [UInt8](repeating: 7, count: 10_000)
    let scripted = try ScriptedBucket(
      [
        Self.silence, Self.silence, Self.silence, Self.silence, Self.list, ScriptedClient.stored(picture),
      ], uptime: uptime)
    await #expect(throws: BucketError.self) { try await scripted.bucket.reach() }
    uptime.milliseconds.add(BucketBreaker.pauseMs - 1, ordering: .relaxed)
    await #expect(throws: BucketError.self) { try await scripted.bucket.put(picture, as: "a", mimeType: "image/png") }
    #expect(scripted.client.requests.count == 2)
    uptime.milliseconds.add(1, ordering: .relaxed)
    for _ in 0..<2 {
      await #expect(throws: BucketError.self) { try await scripted.bucket.put(picture, as: "a", mimeType: "image/png") }
    }
    #expect(scripted.client.requests.map(\.method) == [.get, .get, .get, .get])
    uptime.milliseconds.add(BucketBreaker.pauseMs, ordering: .relaxed)
    #expect(try await scripted.bucket.put(picture, as: "a", mimeType: "image/png") == .stored)
    #expect(scripted.client.requests.suffix(2).map(\.method) == [.get, .put])
  }

  @Test("others are refused while one finds out; a refusal is an answer, and a trial that is broken off says nothing")
  func admission() throws {
    let uptime = Uptime()
    let breaker = BucketBreaker { uptime.milliseconds.load(ordering: .relaxed) }
    let timeout = BucketError(.unreachable(.timedOut(.stall)), mayHaveHappened: true)
    func fails() -> Bool { (try? breaker.admit()) == nil }
    #expect(try breaker.admit() == .go)
    for error in [BucketError(.accessDenied), BucketError(.unreachable(.connect)), BucketError(.cancelled)] {
      breaker.note(error)
      #expect(try breaker.admit() == .go)
    }
    for end in [BucketError(.accessDenied), BucketError(.busy), nil] {
      breaker.note(timeout)
      #expect(fails())
      uptime.milliseconds.add(BucketBreaker.pauseMs, ordering: .relaxed)
      #expect(try breaker.admit() == .trial)
      #expect(fails())
      breaker.note(BucketError(.cancelled))
      #expect(try breaker.admit() == .trial)
      if let end { breaker.note(end) } else { breaker.noteAnswer() }
      #expect(try breaker.admit() == .go)
    }
    breaker.note(timeout)
    // The others have sent nothing.
    #expect(throws: BucketError(.unreachable(.timedOut(.stall)))) { try breaker.admit() }
  }
}
