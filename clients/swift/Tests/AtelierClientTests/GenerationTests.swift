import JSON
import Support
import Testing

@testable import AtelierClient

@Suite("A generation", .timeLimit(.minutes(1)))
struct GenerationTests {
  private let peer: ScriptedPeer

  init() throws { peer = try ScriptedPeer() }

  @Test("a generation has a result, and progress that can be read twice and late")
  func progress() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("a lighthouse"))
    var seen: [Int64] = []
    for try await progress in generation.progress { seen.append(progress.sequence) }
    let result = try await generation.result
    #expect(seen == [1, 2, 3])
    #expect(result.state == .succeeded && generation.hasEnded)
    #expect(try result.path == "/pictures/\(result.generationId).jpg")
    var again: [Int64] = []
    for try await progress in generation.progress { again.append(progress.sequence) }
    #expect(again == seen && generation.newestProgress?.sequence == 3)
    #expect(try await generation.accepted == result.generationId)
    await studio.close()
  }

  @Test("a loop over progress may be left early, and the generation goes on")
  func leftEarly() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("a lighthouse"))
    for try await _ in generation.progress { break }
    #expect(try await generation.result.state == .succeeded)
    await studio.close()
    #expect(!peer.methods.contains("$/cancelRequest"))
  }

  @Test("progress that nobody reads is dropped, the oldest first")
  func muchProgress() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("much progress"))
    #expect(try await generation.result.state == .succeeded)
    var seen: [Int64] = []
    for try await progress in generation.progress { seen.append(progress.sequence) }
    #expect(seen.last == 300 && seen.count <= GenerationTracker.keptProgress && seen.count > 100)
    #expect(seen == seen.sorted())
    await studio.close()
  }

  @Test("a failure is an error with all that is known")
  func failed() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("fail"))
    for try await progress in generation.progress { #expect(progress.sequence == 1) }
    let error = try #require(await failure { try await generation.result })
    #expect(error.kind == .rateLimited && error.kindName == "rate_limited" && error.code == 429 && error.isRetryable)
    #expect(error.retryAfterMs == 1500 && error.message == "Too many requests." && error.details["scope"] == "minute")
    #expect(error.generationId == generation.generationID && error.clientKind == nil)
    await studio.close()
  }

  @Test("a kind of error that this version does not know keeps its name, its code and its sentence")
  func newKind() async throws {
    let studio = try await peer.studio()
    let error = try #require(await failure { try await studio.generate(.create("a new kind")).result })
    #expect(error.kind == .internal && error.kindName == "teapot" && error.code == 418)
    #expect(error.isRetryable && error.retryAfterMs == 7 && error.message == "I am a teapot." && error.clientKind == nil)
    await studio.close()
  }

  @Test("an answer that makes no sense says where")
  func nonsense() async throws {
    let studio = try await peer.studio()
    let error = try #require(await failure { try await studio.generate(.create("nonsense")).result })
    #expect(error.clientKind == .protocolError && error.message.contains("/generationId"))
    // The connection goes on.
    _ = try await studio.send(Ping())
    await studio.close()
  }

  @Test("a cancelled generation is a result with that state")
  func cancel() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("until cancelled"))
    _ = try await generation.accepted
    generation.cancel()
    generation.cancel()
    #expect(try await generation.result.state == .cancelled)
    await studio.close()
    #expect(peer.methods.count { $0 == "$/cancelRequest" } == 1)
  }

  @Test("a generation that is cancelled at once is never sent, or has its one answer")
  func cancelledAtOnce() async throws {
    let studio = try await peer.studio()
    for number in 0..<100 {
      let generation = studio.generate(.create("until cancelled", detach: number.isMultiple(of: 3) ? true : nil))
      for _ in 0..<number % 10 { await Task.yield() }
      generation.cancel()
      do {
        #expect(try await generation.result.state == .cancelled)
      } catch let error as AtelierError {
        #expect(error.clientKind == .requestCancelled)
      }
    }
    await studio.close()
    #expect(peer.waitingCount == 0)
  }

  @Test("the task that waits for a generation cancels it and waits for its answer", arguments: [true, false])
  func cancelledWaiter(iterates: Bool) async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("until cancelled"))
    let waiter = Task {
      if iterates { for try await _ in generation.progress {} } else { _ = try await generation.result }
    }
    _ = try await generation.accepted
    waiter.cancel()
    #expect(await isCancelled { try await waiter.value })
    #expect(generation.hasEnded)
    #expect(try await generation.result.state == .cancelled)
    await studio.close()
  }

  @Test("a regenerated generation names the earlier one")
  func regenerate() async throws {
    let studio = try await peer.studio()
    let result = try await studio.regenerate(Regenerate(generationId: "gen_1", prompt: "at dusk")).result
    #expect(result.state == .succeeded)
    #expect(try await peer.params(of: "regenerate") == ["generationId": "gen_1", "prompt": "at dusk"])
    await studio.close()
  }

  @Test("1,000 generations at once each have their own answer, and those that are cancelled end so")
  func many() async throws {
    let studio = try await peer.studio()
    let generations = (0..<1_000).map { number in
      studio.generate(.create(number.isMultiple(of: 2) ? "until cancelled" : "picture \(number)"))
    }
    let states = try await withThrowingTaskGroup(of: (Int, GenerationState, GenerationID).self) { group in
      for (number, generation) in generations.enumerated() {
        group.addTask {
          if number.isMultiple(of: 2) {
            _ = try await generation.accepted
            generation.cancel()
          }
          let result = try await generation.result
          return (number, result.state, result.generationId)
        }
      }
      return try await group.reduce(into: [(Int, GenerationState, GenerationID)]()) { $0.append($1) }
    }
    #expect(states.count == 1_000 && Set(states.map(\.2)).count == 1_000)
    #expect(states.allSatisfy { $0.1 == ($0.0.isMultiple(of: 2) ? .cancelled : .succeeded) })
    await studio.close()
  }
}

@Suite("A detached generation", .timeLimit(.minutes(1)))
struct DetachedTests {
  private let peer: ScriptedPeer

  init() throws { peer = try ScriptedPeer() }

  @Test("a detached generation is accepted first and ends later")
  func accepted() async throws {
    let studio = try await peer.studio()
    let ends = studio.notifications(GenerationFinished.self)
    let generation = studio.generate(.create("a lighthouse", detach: true))
    let id = try await generation.accepted
    let result = try await generation.result
    #expect(result.state == .succeeded && result.generationId == id)
    var told: [GenerationID] = []
    for await end in ends {
      told.append(end.generation.generationId)
      break
    }
    #expect(told == [id])
    await studio.close()
  }

  @Test("a detached generation that fails fails its waiters, and one that had ended before answers at once")
  func ends() async throws {
    let studio = try await peer.studio()
    let error = await failure { try await studio.generate(.create("fail later", detach: true)).result }
    #expect(error?.kind == .providerError && error?.generationId != nil)
    #expect(try await studio.generate(.create("ended before", detach: true)).result.state == .succeeded)
    await studio.close()
  }

  @Test("the end of a detached generation is found where another connection is told it")
  func toldToOthers() async throws {
    let studio = try await peer.studio()
    #expect(try await studio.generate(.create("told to others", detach: true)).result.state == .succeeded)
    #expect(peer.methods.contains("generation/watch"))
    await studio.close()
  }

  @Test("the waiters of a detached generation do not cancel it; its handle does")
  func waiters() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("until cancelled", detach: true))
    let waiter = Task { try await generation.result }
    let id = try await generation.accepted
    waiter.cancel()
    #expect(await isCancelled { try await waiter.value })
    #expect(!generation.hasEnded && !peer.methods.contains("cancel"))
    generation.cancel()
    #expect(try await generation.result.state == .cancelled)
    #expect(try await peer.params(of: "cancel") == ["generationId": .string(id.rawValue)])
    await studio.close()
  }

  @Test("a studio is closed without waiting for what is detached")
  func close() async throws {
    let studio = try await peer.studio()
    let generation = studio.generate(.create("until cancelled", detach: true))
    _ = try await generation.accepted
    await studio.close()
    #expect(!peer.methods.contains("shutdown") && !peer.methods.contains("cancel"))
  }

  @Test("a generation of another process is followed to its end or its failure")
  func attached() async throws {
    let studio = try await peer.studio()
    let ended = studio.attach(to: "gen_other")
    #expect(try await ended.accepted == "gen_other")
    #expect(try await ended.result.state == .succeeded)
    #expect(await failure { try await studio.attach(to: "gen_failed").result }?.kind == .providerError)
    await studio.close()
  }

  @Test("a watched generation is cancelled by its handle, not by a waiter or the end of the studio")
  func watched() async throws {
    let studio = try await peer.studio()
    let watched = studio.attach(to: "gen_running")
    let waiter = Task { try await watched.result }
    var seen: Int64?
    for try await progress in watched.progress {
      seen = progress.sequence
      break
    }
    #expect(seen == 5)
    waiter.cancel()
    #expect(await isCancelled { try await waiter.value })
    #expect(!peer.methods.contains("cancel"))
    watched.cancel()
    #expect(try await watched.result.state == .cancelled)

    let other = studio.attach(to: "gen_running")
    for try await _ in other.progress { break }
    await studio.close()
    #expect(await failure { try await other.result } != nil)
    #expect(peer.methods.count { $0 == "cancel" } == 1)
  }
}
