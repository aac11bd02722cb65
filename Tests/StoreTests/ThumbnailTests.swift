import AtelierProtocol
import POSIX
import Testing

@testable import Store

@Suite("Thumbnails made after the end")
struct ThumbnailTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("thumbnails are shown with the generation, in history too, and nothing else of it changes")
  func kept() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    var row = try #require(try await store.succeed(id, with: [1]).finished)
    #expect(row.thumbnail == nil)
    let staged = try await store.stage([2, 2], mimeType: "image/jpeg")
    #expect(try await store.keepThumbnail(.thumbnail(staged), for: id))
    row.files.append(GenerationFile.thumbnail(staged).recorded(isPrivate: false))
    #expect(row.thumbnail == staged.artifact)
    #expect(try await store.generation(id, account: nil) == row)
    #expect(try await fixture.open().history(HistoryFilter(), limit: 1).entries == [row])
    #expect(try await store.read(staged.artifact) == [2, 2])
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
    #expect(try await store.check().findings.isEmpty)
    #expect(
      try await store.delete(.one(id, account: nil)) == DeletionSummary(deleted: 1, bytesFreed: 3, stillRunning: []))
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  enum Obstacle: CaseIterable {
    case gone, isPrivate, hasOne, hasOneFromItsEnd
  }

  @Test("thumbnails are dropped when the generation is gone, private or has one", arguments: Obstacle.allCases)
  func dropped(obstacle: Obstacle) async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance(isPrivate: obstacle == .isPrivate))
    let first = try await store.stage([1], mimeType: "image/jpeg")
    switch obstacle {
    case .gone:
      _ = try await store.cancel(id, account: nil)
      _ = try await store.delete(.one(id, account: nil))
    case .isPrivate: _ = try await store.succeed(id, with: [5])
    case .hasOne:
      _ = try await store.succeed(id, with: [5])
      #expect(try await store.keepThumbnail(.thumbnail(first), for: id))
    case .hasOneFromItsEnd: _ = try await store.finish(Settlement(id: id, state: .failed, files: [.thumbnail(first)]))
    }
    let before = try await store.generation(id, account: nil)
    let files = fixture.temporary.files(below: "data/artifacts")
    let late = try await store.stage([2, 2], mimeType: "image/jpeg")
    #expect(try await !store.keepThumbnail(.thumbnail(late), for: id))
    #expect(try await store.generation(id, account: nil) == before)
    #expect(fixture.temporary.files(below: "data/artifacts") == files)
    #expect(!FileStatus.exists(late.temporaryPath))
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("a thumbnail that came before the end stays, and the end's own is dropped")
  func beforeEnd() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let early = try await store.stage([1], mimeType: "image/jpeg")
    #expect(try await store.keepThumbnail(.thumbnail(early), for: id))
    let late = try await store.stage([2], mimeType: "image/jpeg")
    let row = try await store.finish(Settlement(id: id, state: .failed, files: [.thumbnail(late)])).finished
    #expect(row?.thumbnail == early.artifact)
    #expect(try await store.generation(id, account: nil) == row)
    #expect(fixture.temporary.files(below: "data/artifacts").count == 1)
  }

  @Test("one of two thumbnails made at once is kept")
  func twice() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    _ = try await store.finish(Settlement(id: id, state: .failed))
    let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 as Range<UInt8> {
        group.addTask {
          let place = number.isMultiple(of: 2) ? store : other
          return try await place.keepThumbnail(.thumbnail(try await place.stage([number], mimeType: "image/jpeg")), for: id)
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(kept == 1)
    #expect(fixture.temporary.files(below: "data/artifacts").count == 1)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("thumbnails count for the cap on size, and go with their generation")
  func caps() async throws {
    let store = try await fixture.open()
    for number in 0..<3 as Range<UInt8> {
      let id = try await store.begin(fixture.acceptance())
      _ = try await store.finish(Settlement(id: id, state: .failed))
      let staged = try await store.stage([UInt8](repeating: number, count: 10), mimeType: "image/jpeg")
      #expect(try await store.keepThumbnail(.thumbnail(staged), for: id))
      fixture.clock.advance(by: 1000)
    }
    #expect(try await store.enforce(HistoryLimits(maximumBytes: 30)).deleted == 0)
    let summary = try await store.enforce(HistoryLimits(maximumBytes: 29))
    #expect(summary == DeletionSummary(deleted: 1, bytesFreed: 10, stillRunning: []))
    #expect(fixture.temporary.files(below: "data/artifacts").count == 2)
    _ = try await store.delete(.all(account: .owner))
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("thumbnails stay when their content is also an image or a photo that goes")
  func sharedContent() async throws {
    let store = try await fixture.open()
    let (first, second) = (try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance()))
    let artifact = try #require(try await store.succeed(first, with: [7]).finished?.images.first?.artifact)
    _ = try await store.finish(Settlement(id: second, state: .failed))
    #expect(try await store.keepThumbnail(.thumbnail(try await store.stage([7], mimeType: "image/png")), for: second))
    _ = try await store.delete(.one(first, account: nil))
    #expect(try await store.read(artifact) == [7])
    _ = try await store.delete(.one(second, account: nil))
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }
}
