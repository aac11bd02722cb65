import AtelierProtocol
import Testing

@Suite("Results")
struct ResultTests {
  private let result = Generate.Result(
    generationId: "gen_1", outcome: .succeeded, recipe: .headshot, provider: .ondevice, model: "portrait-1",
    images: [], credits: Credits(balanceAfter: nil), timings: Timings(totalMs: 5))

  @Test("leave out what is nil, but for a balance, which is null")
  func nils() throws {
    let wire = try written(result)
    #expect(wire["text"] == nil)
    #expect(wire["places"] == nil)
    #expect(wire["warnings"] == [])
    #expect(wire["credits"] == ["held": 0, "charged": 0, "released": 0, "balanceAfter": nil])
    #expect(wire["usage"] == ["inputTokens": 0, "outputTokens": 0])
    #expect(try read(Generate.Result.self, wire) == result)
    let charged = Credits(held: 1, charged: 1, released: 0, balanceAfter: 3)
    #expect(try written(charged)["balanceAfter"] == 3)
    #expect(try read(Credits.self, written(charged)) == charged)
    #expect(failure(Credits.self, ["held": 0, "charged": 0, "released": 0])?.path == "/balanceAfter")
  }

  @Test("of generate and status are one of several, told apart by their members")
  func alternatives() throws {
    let answers: [Generate.Answer] = [
      .finished(result), .accepted(Generate.Acceptance(generationId: "gen_1", state: .queued)),
    ]
    for answer in answers { #expect(try read(Generate.Answer.self, written(answer)) == answer) }
    #expect(try written(answers[1]) == ["generationId": "gen_1", "state": "queued"])
    let account = AccountStatus(
      account: .owner, tier: .owner, credits: .unmetered(.owner), limits: [], running: [])
    #expect(
      try written(account)["credits"] == [
        "account": "owner", "metered": false, "tier": "owner", "unlimited": true, "available": nil, "held": 0,
        "allocation": nil, "buckets": [], "shortfall": 0,
      ])
    #expect(try read(Status.Result.self, written(Status.Result.account(account))) == .account(account))
  }

  @Test("of shutdown are null, and of ping an empty object")
  func empty() throws {
    #expect(try written(Shutdown.Result()) == nil)
    #expect(try read(NullResult.self, nil) == NullResult())
    #expect(failure(NullResult.self, 5)?.expected == "null")
    #expect(try written(Ping.Result()) == [:])
  }

  @Test("add up what was used, and know the cost when any part does")
  func usage() {
    let one = Usage(inputTokens: 1, outputTokens: 2, costUsd: 0.25)
    #expect(one + Usage(inputTokens: 10, outputTokens: 20) == Usage(inputTokens: 11, outputTokens: 22, costUsd: 0.25))
    #expect(one + one == Usage(inputTokens: 2, outputTokens: 4, costUsd: 0.5))
    #expect(Usage() + Usage() == Usage())
  }
}
