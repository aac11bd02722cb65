import AtelierProtocol
import Imaging
import Testing

@Suite("Headshots made on this machine", .serialized)
struct HeadshotTests {
  @Test("headshots are square, of 1024 pixels, carry nothing private and say what weakens them")
  func made() async throws {
    try await withWorker { worker in
      let steps = Record<(HeadshotStep, Double)>()
      let headshot = try await worker.headshot(
        try Fixture.portrait("grace_hopper.jpg"), options: HeadshotJob(background: .professional)
      ) { steps.append(($0, $1)) }
      #expect((headshot.image.width, headshot.image.height, headshot.image.format) == (1024, 1024, .jpeg))
      #expect(headshot.original.width == 512)
      #expect(headshot.warnings.map(\.kind).contains("low_resolution"))
      let information = try await worker.inspect(headshot.image.bytes)
      #expect((information.width, information.height) == (1024, 1024))
      #expect(!information.metadata.exif && !information.metadata.colourProfile)
      let pixels = try Pixels(jpeg: headshot.image.bytes)
      #expect((pixels.width, pixels.height) == (1024, 1024))

      let fractions = steps.events.map(\.1)
      #expect(fractions == fractions.sorted(), "progress never goes back")
      #expect(fractions.allSatisfy { (0...1).contains($0) })
      #expect(Set(steps.events.map(\.0)) == Set(HeadshotStep.allCases))
      let order = steps.events.map { HeadshotStep.allCases.firstIndex(of: $0.0) ?? 0 }
      #expect(order == order.sorted(), "a step that is over does not come again")
    }
  }

  @Test("headshots are the same however the photo is stored")
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

  @Test("headshots of a photo that lies on its side stand upright, and so does the prepared photo")
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

  @Test("headshots differ with the background and the variation, and are the same for the same request")
  func requests() async throws {
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

  @Test(
    "headshots are stored in the format asked for",
    arguments: [(.jpeg, 60), (.png, nil), (.webp, 60), (.webp, 95)] as [(PictureFormat, Int?)])
  func formats(format: PictureFormat, quality: Int?) async throws {
    try await withWorker { worker in
      let job = HeadshotJob(background: .white, format: format, quality: quality)
      let image = try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: job).image
      #expect(image.format == ImageFormat(format))
      let information = try await worker.inspect(image.bytes)
      #expect((information.format, information.width, information.height) == (ImageFormat(format), 1024, 1024))
      #expect(!information.hasAlpha && !information.metadata.location && !information.metadata.colourProfile)
      // libvips writes the resolution into a WebP, as EXIF; nothing of the photo is in it.
      #expect(!information.metadata.exif || format == .webp)
    }
  }

  @Test("headshots are smaller with a lower quality", arguments: [.jpeg, .webp] as [PictureFormat])
  func quality(format: PictureFormat) async throws {
    let photo = try Fixture.portrait("grace_hopper.jpg")
    try await withWorker { worker in
      var sizes: [Int] = []
      for quality in [30, 75, 95] {
        let job = HeadshotJob(background: .professional, format: format, quality: quality)
        sizes.append(try await worker.headshot(photo, options: job).image.bytes.count)
      }
      #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
    }
  }

  @Test(
    "headshots without a background are opaque where the person is, and white and clear in the corners",
    arguments: [.png, .webp] as [PictureFormat])
  func transparent(format: PictureFormat) async throws {
    try await withWorker { worker in
      let job = HeadshotJob(background: .transparent, format: format)
      let image = try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: job).image
      #expect(try await worker.inspect(image.bytes).hasAlpha)
      let pixels = try TransparentPixels(image.bytes, format: format)
      #expect(pixels[10, 10].opacity == 0 && pixels[1013, 10].opacity == 0)
      #expect(pixels[512, 500].opacity == 255 && pixels[512, 900].opacity == 255)
      if format == .png { #expect(pixels[10, 10].red == 255) }
      // Prepared for a provider, the picture shows the person on white.
      let flat = try Pixels(jpeg: try await worker.prepare(image.bytes).image.bytes)
      #expect(flat[10, 10].red > 250 && flat[10, 10].green > 250)
    }
  }

  @Test(
    "headshots come with their matte, a gray picture as large as they are",
    arguments: [.professional, .transparent] as [Background])
  func matte(background: Background) async throws {
    try await withWorker { worker in
      let photo = try Fixture.portrait("grace_hopper.jpg")
      let shape = HeadshotShape(width: 3, height: 4, longestSide: 600)
      let job = HeadshotJob(
        background: background, format: .png, shape: shape, wantsMatte: true, preparation: PrepareJob(limits: .generation))
      let made = try await worker.headshot(photo, options: job)
      let matte = try #require(made.matte)
      #expect((matte.width, matte.height) == (450, 600) && (made.image.width, made.image.height) == (450, 600))
      let information = try await worker.inspect(matte.bytes)
      #expect(information.colourModel == .grey && information.bitsPerChannel == 8 && !information.hasAlpha)
      #expect((information.width, information.height) == (450, 600))
      #expect(made.prepared != nil)
      let levels = try GrayPixels(png: matte.bytes)
      #expect(levels[5, 5] == 0 && levels[225, 300] == 255)
      #expect(try await worker.headshot(photo, options: HeadshotJob(background: background, format: .png)).matte == nil)
      guard background == .transparent else { return }
      let pixels = try TransparentPixels(made.image.bytes, format: .png)
      for (x, y) in [(5, 5), (225, 300), (100, 400), (300, 120)] { #expect(levels[x, y] == pixels[x, y].opacity) }
    }
  }

  @Test("headshots of nobody, of something too small, or with the head turned are refused with what to do")
  func refused() async throws {
    try await withWorker { worker in
      let nobody = try await #require(throws: ImagingError.self) {
        try await worker.headshot(try Fixture.image("plain.jpg"), options: HeadshotJob(background: .casual))
      }
      #expect(nobody.kind == .noFaceFound)
      let small = try await #require(throws: ImagingError.self) {
        try await worker.headshot(try Fixture.image("too-small.png"), options: HeadshotJob(background: .casual))
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

  @Test(
    "headshots of small files depend on the face, not on the file",
    arguments: [(250, nil), (200, nil), (60, .faceTooSmall)] as [(Int, ErrorKind?)])
  func smallFile(side: Int, refusal: ErrorKind?) async throws {
    let photo = try Pixels(jpeg: try Fixture.image("face.jpg")).jpegFile(width: side, height: side)
    try await withWorker { worker in
      let job = HeadshotJob(background: .casual, preparation: PrepareJob(limits: .generation))
      do {
        let made = try await worker.headshot(photo, options: job)
        #expect(refusal == nil && made.warnings.map(\.kind).contains("low_resolution"))
      } catch let error as ImagingError {
        #expect(error.kind == refusal, "\(error.message)")
      }
    }
  }

  @Test("headshots of a 12 megapixel photo need less than 250 MB")
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
