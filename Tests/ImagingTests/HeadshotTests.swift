import AtelierProtocol
import Imaging
import Testing

@Suite("Headshots made on this machine", .serialized)
struct HeadshotTests {
  @Test("are square, of 1024 pixels, carry nothing private and say what weakens them")
  func made() async throws {
    try await withWorker { worker in
      let steps = Record<(HeadshotStep, Double)>()
      let headshot = try await worker.headshot(
        try Fixture.portrait("grace_hopper.jpg"), options: HeadshotJob(background: .professional)
      ) { steps.append(($0, $1)) }
      #expect((headshot.image.width, headshot.image.height, headshot.image.format) == (1024, 1024, .jpeg))
      #expect(headshot.original.width == 512)
      #expect(headshot.warnings.map(\.kind).contains("low_resolution"))
      let information = try await worker.probe(headshot.image.bytes)
      #expect((information.width, information.height) == (1024, 1024))
      #expect(!information.metadata.exif && !information.metadata.colourProfile)
      let pixels = try Pixels(jpeg: headshot.image.bytes)
      #expect((pixels.width, pixels.height) == (1024, 1024))

      let fractions = steps.events.map(\.1)
      #expect(fractions == fractions.sorted(), "progress never goes back")
      #expect(fractions.allSatisfy { (0...1).contains($0) })
      #expect(Set(steps.events.map(\.0)) == Set(HeadshotStep.allCases))
    }
  }

  @Test("are the same however the photo is stored")
  func turned() async throws {
    let upright = try Pixels(jpeg: try Fixture.portrait("grace_hopper.jpg"))
    try await withWorker { worker in
      let options = HeadshotJob(background: .professional)
      let expected = try await worker.headshot(try upright.jpegFile(orientation: 1), options: options)
      let expectedPixels = try Pixels(jpeg: expected.image.bytes)
      for orientation in 2...8 {
        let photo = try upright.stored(orientation: orientation).jpegFile(orientation: orientation)
        let found = try await worker.headshot(photo, options: options)
        #expect((found.original.width, found.original.height) == (expected.original.width, expected.original.height))
        #expect(found.original.orientation == orientation)
        let distance = try Pixels(jpeg: found.image.bytes).distance(to: expectedPixels)
        #expect(distance < 4, "orientation \(orientation)")
      }
    }
  }

  @Test("of a photo that lies on its side stand upright, and so does the prepared photo")
  func sideways() async throws {
    let upright = try Pixels(jpeg: try Fixture.portrait("grace_hopper.jpg"))
    try await withWorker { worker in
      let options = HeadshotJob(background: .professional, preparation: PrepareJob(limits: .generation))
      let reference = try await worker.headshot(try upright.jpegFile(orientation: 1), options: options)
      let expected = try Pixels(jpeg: reference.image.bytes)
      for orientation in [3, 6, 8] {
        let photo = try upright.stored(orientation: orientation).jpegFile(orientation: 1)
        let found = try await worker.headshot(photo, options: options)
        #expect(try Pixels(jpeg: found.image.bytes).distance(to: expected) < 4, "orientation \(orientation)")
        let prepared = try #require(found.prepared)
        #expect((prepared.image.width, prepared.image.height) == (upright.width, upright.height))
        #expect(prepared.changes.contains(.rotated))
        #expect(try Pixels(jpeg: prepared.image.bytes).distance(to: upright) < 4, "orientation \(orientation)")
      }
    }
  }

  @Test("differ with the background and the variation, and are the same for the same wish")
  func wishes() async throws {
    let photo = try Fixture.portrait("grace_hopper.jpg")
    try await withWorker { worker in
      let first = try await worker.headshot(photo, options: HeadshotJob(background: .professional)).image.bytes
      let again = try await worker.headshot(photo, options: HeadshotJob(background: .professional)).image.bytes
      let casual = try await worker.headshot(photo, options: HeadshotJob(background: .casual)).image.bytes
      let other = try await worker.headshot(photo, options: HeadshotJob(background: .professional, variation: 1)).image
      #expect(first == again)
      #expect(first != casual)
      #expect(first != other.bytes)
    }
  }

  @Test("of nobody, of something too small, or with the head turned are refused with what to do")
  func refused() async throws {
    try await withWorker { worker in
      let nobody = try await #require(throws: ImagingError.self) {
        try await worker.headshot(try Fixture.image("plain.jpg"), options: HeadshotJob(background: .casual))
      }
      #expect(nobody.kind == .noFaceFound)
      let small = try await #require(throws: ImagingError.self) {
        try await worker.headshot(try Fixture.image("private.jpg"), options: HeadshotJob(background: .casual))
      }
      #expect(small.kind == .invalidDimensions)
      let turned = try await #require(throws: ImagingError.self) {
        let options = HeadshotJob(background: .professional, angle: -1)
        return try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: options)
      }
      #expect(turned.kind == .unsupportedByProvider)
      for error in [nobody, small, turned] { #expect(error.message.hasSuffix(".")) }
    }
  }

  @Test("of a 12 megapixel photo need less than 250 MB")
  func memory() async throws {
    let photo = try Pixels(jpeg: try Fixture.portrait("grace_hopper.jpg")).jpegFile(width: 3072, height: 4000)
    try await withWorker { worker in
      let headshot = try await worker.headshot(photo, options: HeadshotJob(background: .professional))
      #expect(headshot.original.width * headshot.original.height > 12_000_000)
      let process = try #require(await worker.processIdentifier)
      #expect(try ProcessStatus(of: process).peakKilobytes < 250_000)
    }
  }
}
