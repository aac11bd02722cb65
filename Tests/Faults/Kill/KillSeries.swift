import AtelierProtocol
import Foundation
import Store
import Support
import Testing

/// Rounds on one data directory. In each, two services work for two hosts, a bystander comes by, at least one of the
/// services is killed, and a third one finds what they left.
struct KillSeries {
  private let seed: UInt64
  private var random: SplitMix64
  private let folder: TemporaryDirectory
  private let places: KillPlaces
  private var ledger = KillLedger()
  private var kills = 0
  /// What is rightly in the hosts' folder: copies stay when their generation is deleted.
  private var copies: Set<String> = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    folder = try TemporaryDirectory()
    let photo = try folder.write("face.jpg", try Fixture.bytes("images/face.jpg"))
    places = KillPlaces(
      data: try folder.makeFolder("data"), output: try folder.makeFolder("output"), photo: ["path": .string(photo)])
  }

  /// - Throws: what keeps a round from being run at all.
  mutating func run(rounds: Int) async throws {
    // The first time on record is a right one: were it a bystander's that is behind, the others would be doubted.
    let store = try await Store.open(places.data)
    _ = try await store.grantCredits(1, to: "a stranger", because: "a gift at the right time")
    await store.close()
    for round in 0..<rounds {
      try await run(round)
      if Task.isCancelled { return }
    }
    try await expectWholeFiles()
    let ends = Dictionary(grouping: ledger.ends.values) { $0 }.mapValues(\.count)
    let summary = ends.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print("seed \(seed): \(rounds) rounds, \(kills) kills, \(ledger.acknowledged) answers kept; \(summary)")
  }

  private mutating func run(_ round: Int) async throws {
    let name = "seed \(seed), round \(round)"
    let (first, second) = ("\(round)-a", "\(round)-b")
    let earlier = ledger.succeeded
    let firstPlan = KillPlan(
      key: first, foreignKey: "\(second)-0", sharedKey: "\(round)-both", earlier: earlier, mustKill: true,
      places: places, using: &random)
    let secondPlan = KillPlan(
      key: second, foreignKey: "\(first)-0", sharedKey: "\(round)-both", earlier: earlier, mustKill: false,
      places: places, using: &random)
    async let firstHost = KilledHost(firstPlan, dataDirectory: places.data)
    async let secondHost = KilledHost(secondPlan, dataDirectory: places.data)
    let bystander = try #require(Bystander.allCases.randomElement(using: &random))
    let delay = Duration.milliseconds(Int.random(in: 0...300, using: &random))
    async let visit: Void = {
      try await Task.sleep(for: delay)
      try await bystander.visit(places.data, "\(name), \(bystander)")
    }()
    let hosts = [try await firstHost, try await secondHost]
    try await visit
    kills += secondPlan.kill == nil ? 1 : 2
    if secondPlan.kill == nil { #expect(hosts[1].end == .exited(0), "\(name)") }
    for host in hosts {
      #expect(host.strayLines == [], "\(name)")
      for finding in ledger.note(host) { Issue.record("\(name): \(finding)") }
    }
    try await recover(name)
    let audit = DataDirectoryAudit(path: places.data)
    copies.formUnion(try audit.copies())
    let stray = try FileManager.default.contentsOfDirectory(atPath: places.output)
      .filter { !copies.contains("\(places.output)/\($0)") }.map { "the copy \($0) belongs to no generation" }
    for finding in try audit.findings(processes: 0) + stray + ledger.compare(with: audit) {
      Issue.record("\(name): \(finding)")
    }
  }

  /// Lets a new service find what the killed ones left, and do what can still be done of it.
  private func recover(_ name: String) async throws {
    let service = try ServiceChild(dataDirectory: places.data)
    let answer = try await service.call("history", ["account": "*", "limit": 1])
    #expect(answer["result"] != nil, "\(name): \(answer.text)")
    #expect(try await service.finished() == .exited(0), "\(name)")
    // It sweeps in the background, and ends when that is done.
    for finding in try DataDirectoryAudit(path: places.data).processFindings(processes: 0) {
      Issue.record("\(name), after recovery: \(finding)")
    }
    #expect(service.errorText == "", "\(name)")
  }

  /// Compares every file with its digest.
  private func expectWholeFiles() async throws {
    let store = try await Store.open(places.data)
    let report = try await store.check()
    #expect(report.findings.map(\.sentence) == [], "seed \(seed)")
    await store.close()
  }
}
