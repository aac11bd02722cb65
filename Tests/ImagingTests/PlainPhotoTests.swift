import Imaging
import Testing

@Suite("A photo that needs no preparation")
struct PlainPhotoTests {
  static let plain = ["plain.jpg", "progressive.jpg", "plain.png", "plain.webp", "lossless.webp"]
  /// Everything else that is a picture; some of it the worker passes through, for it knows more.
  static let others = [
    "private.jpg", "orientation-1.jpg", "orientation-6.jpg", "display-p3.jpg", "grey.jpg", "cmyk.jpg", "alpha.png",
    "palette.png", "interlaced.png", "sixteen-bit.png", "grey-sixteen-bit.png", "orientation-8.png", "alpha.webp",
    "orientation-6.webp", "plain.heic", "plain.avif", "bomb.png", "too-large.png", "too-small.png", "other.gif",
  ]
  static let job = PrepareJob(limits: .generation)

  @Test("a photo that needs no preparation is known by its bytes", arguments: plain)
  func known(name: String) throws {
    let photo = try #require(PlainPhoto(try Fixture.image(name), for: Self.job))
    #expect((photo.width, photo.height) == (400, 300))
    #expect(name.hasSuffix(photo.format.fileExtension))
  }

  @Test(
    "a photo that needs no preparation is never taken for one that is turned, grey, transparent, deep, or carries more",
    arguments: others)
  func other(name: String) throws {
    #expect(PlainPhoto(try Fixture.image(name), for: Self.job) == nil)
  }

  @Test("a photo that needs no preparation keeps within the limits of the job", arguments: plain)
  func limits(name: String) throws {
    let bytes = try Fixture.image(name)
    func isPlain(_ job: PrepareJob) -> Bool { PlainPhoto(bytes, for: job) != nil }
    #expect(isPlain(PrepareJob(longestSide: 400)))
    #expect(!isPlain(PrepareJob(longestSide: 399)))
    #expect(isPlain(PrepareJob(maximumBytes: bytes.count)))
    #expect(!isPlain(PrepareJob(maximumBytes: bytes.count - 1)))
    #expect(!isPlain(PrepareJob(limits: ImageLimits(minimumSide: 301, maximumSide: 4096, maximumPixels: 60_000_000))))
    #expect(!isPlain(PrepareJob(limits: ImageLimits(minimumSide: 1, maximumSide: 399, maximumPixels: 60_000_000))))
    #expect(!isPlain(PrepareJob(limits: ImageLimits(minimumSide: 1, maximumSide: 400, maximumPixels: 119_999))))
  }

  @Test("a photo that needs no preparation is whole, and nothing follows it", arguments: plain)
  func whole(name: String) throws {
    let bytes = try Fixture.image(name)
    #expect(PlainPhoto(bytes + [0], for: Self.job) == nil)
    for count in stride(from: 0, to: bytes.count, by: 61) {
      #expect(PlainPhoto(Array(bytes.prefix(count)), for: Self.job) == nil, "\(count) bytes")
    }
  }

  @Test("a photo that needs no preparation is one that the worker passes through as well", arguments: plain)
  func agreesWithWorker(name: String) async throws {
    let bytes = try Fixture.image(name)
    let photo = try #require(PlainPhoto(bytes, for: Self.job))
    let prepared = try await withWorker { try await $0.prepare(bytes, options: Self.job) }
    #expect(prepared.changes.isEmpty)
    #expect(prepared.image.bytes == bytes)
    #expect(prepared.image.format == photo.format)
    #expect((prepared.image.width, prepared.image.height) == (photo.width, photo.height))
  }
}
