import AtelierClient
import Support
import Testing

@testable import WebHost

@Suite("The limits of addresses")
struct LimitTests {
  @Test("an address begins no more than is allowed within a window", arguments: 0..<30 as Range<UInt64>)
  func model(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    var allowed = AddressLimits()
    allowed.requestsPerMinute = Int.random(in: 1...6, using: &random)
    let limits = RequestLimits(allowed)
    var (now, begun): (Int64, [String: [Int64]]) = (1_795_000_000_000, [:])
    for _ in 0..<200 {
      now += Int64.random(in: 0...20_000, using: &random)
      let network = ["a", "b"].randomElement(using: &random) ?? "a"
      let place = ClientAddress.Network(household: network, site: "c")
      let recent = begun[network, default: []].filter { $0 > now - 60_000 }
      do throws(WebError) {
        try await limits.count(.requests, from: place, at: Timestamp(milliseconds: now))
        #expect(recent.count < allowed.requestsPerMinute, "seed \(seed)")
        begun[network, default: []].append(now)
      } catch {
        #expect(recent.count == allowed.requestsPerMinute, "seed \(seed)")
        #expect(error.status == 429 && error.retryAfterMs == recent.first.map { Int($0 + 60_000 - now) }, "seed \(seed)")
        #expect(error.retryAfterSeconds ?? 0 >= 1)
      }
    }
  }

  @Test("a gift counts for an address and for its site, until a day is over", arguments: 0..<30 as Range<UInt64>)
  func gifts(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    var allowed = AddressLimits()
    allowed.giftsPerDay = Int.random(in: 0...4, using: &random)
    let limits = RequestLimits(allowed)
    var (now, given): (Int64, [(network: ClientAddress.Network, time: Int64)]) = (1_795_000_000_000, [])
    for _ in 0..<200 {
      now += Int64.random(in: 0...7_200_000, using: &random)
      let site = ["a", "b"].randomElement(using: &random) ?? "a"
      let network = ClientAddress.Network(household: "\(site)\(Int.random(in: 0...9, using: &random))", site: site)
      let recent = given.filter { $0.network.site == network.site && $0.time > now - 86_400_000 }
      let hasGift = await limits.take(.gifts, from: network, at: Timestamp(milliseconds: now))
      #expect(hasGift == (recent.count < allowed.giftsPerDay), "seed \(seed)")
      if hasGift { given.append((network, now)) }
      // Whoever is only let in counts by household.
      let guests = await limits.take(.guests, from: network, at: Timestamp(milliseconds: now))
      #expect(guests, "seed \(seed)")
    }
  }

  @Test("a request that is noted beyond a limit counts, and is given back")
  func noted() async throws {
    var allowed = AddressLimits()
    allowed.requestsPerMinute = 2
    let limits = RequestLimits(allowed)
    let network = ClientAddress.Network(household: "a", site: "a")
    for second in 0..<4 as Range<Int64> {
      await limits.note(.requests, from: network, at: Timestamp(milliseconds: second * 1000))
    }
    let now = Timestamp(milliseconds: 4000)
    let refusal = await #expect(throws: WebError.self) { try await limits.count(.requests, from: network, at: now) }
    // Two of the four must be over, and the next one leaves room for one.
    #expect(refusal?.retryAfterMs == 58_000)
    for _ in 0..<3 { await limits.giveBack(.requests, to: network) }
    #expect(await limits.take(.requests, from: network, at: now))
  }

  @Test("an account has no more event streams than it may, nor do all together", arguments: 0..<30 as Range<UInt64>)
  func streams(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (mostOfAccount, most) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...8, using: &random))
    let streams = OpenStreams(mostOfAccount: mostOfAccount, most: most)
    var open: [(account: AccountID, stream: OpenStream)] = []
    for _ in 0..<200 {
      if Bool.random(using: &random), !open.isEmpty {
        open.remove(at: Int.random(in: 0..<open.count, using: &random))
      } else {
        let account = AccountID(rawValue: ["anna", "bea", "cleo"].randomElement(using: &random) ?? "anna")
        let own = open.count { $0.account == account }
        do throws(WebError) {
          open.append((account, try streams.begin(for: account)))
          #expect(own < mostOfAccount && open.count <= most, "seed \(seed)")
        } catch {
          #expect(own == mostOfAccount || open.count == most, "seed \(seed)")
          #expect(error.status == 429 && error.isRetryable && error.retryAfterMs ?? 0 > 0)
        }
      }
      #expect(streams.count == open.count, "seed \(seed)")
    }
    open = []
    #expect(streams.count == 0, "seed \(seed)")
  }

  @Test("the connections, their uploads and those that are refused fit into the open files", arguments: [
    (nil, 8192), (65_536, 8192), (20_000, 8192), (4096, 1807), (1024, 361), (256, 16), (0, 16),
  ] as [(Int?, Int)])
  func connections(openFiles: Int?, most: Int) {
    #expect(Connections.most(wanted: 8192, openFiles: openFiles) == most)
    #expect(Connections.most(wanted: 10, openFiles: openFiles) == 10)
    let connections = Connections(most: most)
    if let openFiles, openFiles > 300 { #expect(2 * most + connections.mostRefused < openFiles) }
    #expect((0..<most + 5).count { _ in connections.begin() } == most && connections.count == most)
    connections.end()
    #expect(connections.begin() && !connections.begin())
  }

  @Test("a turn is given to as many as may have one, also when some give up")
  func turns() async throws {
    let turns = Turns(2)
    let running = Gauge()
    let most = SharedState(0)
    await withTaskGroup { group in
      for index in 0..<60 {
        group.addTask {
          let task = Task {
            try await turns.run {
              running.add(1)
              most.change { $0 = max($0, running.value) }
              await Task.yield()
              running.add(-1)
            }
          }
          if index % 3 == 0 { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(running.value == 0 && (1...2).contains(most.value))
    // Nothing was lost: both are free.
    try await turns.run { try await turns.run {} }
  }
}
