import AtelierProtocol
import Support
import Testing

@Suite("Results")
struct ResultTests {
  private let result = Generation(
    generationId: "gen_1", state: .succeeded, recipe: .headshot, account: .owner,
    createdAt: Timestamp(milliseconds: 0), provider: .ondevice, model: "portrait-1", timings: Timings(totalMs: 5))

  @Test("results leave out what is nil, but for a balance, which is null")
  func nils() throws {
    let wire = try written(result)
    #expect(wire["text"] == nil)
    #expect(wire["places"] == nil)
    #expect(wire["warnings"] == [])
    #expect(wire["credits"] == ["held": 0, "charged": 0, "released": 0, "balanceAfter": nil])
    #expect(wire["usage"] == ["inputTokens": 0, "outputTokens": 0])
    #expect(try read(Generation.self, wire) == result)
    let charged = Credits(held: 1, charged: 1, released: 0, balanceAfter: 3)
    #expect(try written(charged)["balanceAfter"] == 3)
    #expect(try read(Credits.self, written(charged)) == charged)
    #expect(failure(Credits.self, ["held": 0, "charged": 0, "released": 0])?.path == "/balanceAfter")
  }

  @Test("results of status are one of two, told apart by their members")
  func alternatives() throws {
    let answer = Status.Result.generation(result)
    #expect(try read(Status.Result.self, written(answer)) == answer)
    #expect(try read(GenerationFinished.self, written(GenerationFinished(result))) == GenerationFinished(result))
    let account = AccountGet.Result(account: .owner, tier: .owner, appAccountToken: "", balance: .unmetered(.owner))
    #expect(
      try written(account)["balance"] == [
        "account": "owner", "metered": false, "tier": "owner", "unlimited": true, "available": nil, "held": 0,
        "allocation": nil, "buckets": [], "shortfall": 0,
      ])
  }

  @Test("results of shutdown are null, and of ping an empty object")
  func empty() throws {
    #expect(try written(Shutdown.Result()) == nil)
    #expect(try read(NullResult.self, nil) == NullResult())
    #expect(failure(NullResult.self, 5)?.expected == "null")
    #expect(try written(Ping.Result()) == [:])
  }

  @Test("results add up what was used, and know the cost when any part does")
  func usage() {
    let one = Usage(inputTokens: 1, outputTokens: 2, costUsd: 0.25)
    #expect(one + Usage(inputTokens: 10, outputTokens: 20) == Usage(inputTokens: 11, outputTokens: 22, costUsd: 0.25))
    #expect(one + one == Usage(inputTokens: 2, outputTokens: 4, costUsd: 0.5))
    #expect(Usage() + Usage() == Usage())
  }
}
