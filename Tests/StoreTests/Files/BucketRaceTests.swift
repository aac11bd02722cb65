import AtelierProtocol
import Foundation
import Support
import Testing

@testable import Store

@Suite(
  "Erasing and placing equal pictures at once in a real object storage",
  .enabled(if: RealBucket.isThere, "scripts/with-s3.sh has started no object storage"), .timeLimit(.minutes(60)))
struct BucketRaceTests {
  private static let rounds = ProcessInfo.processInfo.environment["ATELIER_PROOFS"] == nil ? 24 : 10_000
  /// How many pictures are raced for at a time.
  private static let width = 8

  @Test("a picture that is placed while its last row is erased is there, whoever is first")
  func race() async throws {
    let fixture = try StoreFixture()
    let place = try RealBucket.place(prefix: "race")
    func open() async throws -> Store {
      try await Store.open(
        directory: fixture.directory, server: fixture.server?.server, bucket: place, surroundings: fixture.surroundings)
    }
    let (eraser, placer) = (try await open(), try await open())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<Self.width {
        group.addTask {
          let bytes = [UInt8](repeating: UInt8(lane), count: 2_000)
          var random = SplitMix64(seed: UInt64(lane))
          var last = try await placer.begin(fixture.acceptance())
          try await placer.succeed(last, with: bytes)
          for round in 0..<(Self.rounds / Self.width) {
            let next = try await placer.begin(fixture.acceptance())
            let turns = random.next() % 200
            let old = last
            async let erased = eraser.delete(.one(old, account: nil))
            for _ in 0..<turns { await Task.yield() }
            let row = try await placer.succeed(next, with: bytes).finished
            _ = try await erased
            let artifact = try #require(row?.images.first?.artifact)
            // Asked of the bucket, not of the cache.
            let size = try await place.bucket.size(of: S3Files.key(artifact.name))
            #expect(size == bytes.count, "lane \(lane), round \(round)")
            last = next
          }
          _ = try await eraser.delete(.one(last, account: nil))
        }
      }
      try await group.waitForAll()
    }
    for store in [eraser, placer] { try await store.sweep() }
    #expect(try await place.bucket.objects(beginningWith: "").isEmpty)
    #expect(try await eraser.check().findings.isEmpty)
  }
}
