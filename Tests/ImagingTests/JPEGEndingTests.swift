import AtelierProtocol
import Imaging
import Testing

@Suite("A JPEG that ends too early")
struct JPEGEndingTests {
  static let files = [
    "portraits/grace_hopper.jpg", "images/plain.jpg", "images/progressive.jpg", "images/cmyk.jpg", "images/grey.jpg",
    "images/orientation-6.jpg",
  ]

  @Test("a JPEG that lacks only its end marker, or half of it, is made as the whole one, with a warning", arguments: files)
  func repaired(file: String) async throws {
    let whole = try Fixture.bytes(file)
    try await withWorker { worker in
      let job = PrepareJob(longestSide: 300, quality: 90)
      let expected = try await worker.prepare(whole + [0], options: job)
      #expect(expected.warnings.isEmpty)
      for missing in 1...2 {
        let bytes = Array(whole.dropLast(missing))
        let prepared = try await worker.prepare(bytes, options: job)
        #expect(prepared.warnings.map(\.kind) == ["incomplete_file"])
        #expect(prepared.image.bytes == expected.image.bytes)
        #expect(prepared.original.bytes == bytes.count)
        #expect(PlainPhoto(bytes, for: job) == nil)
        #expect(try await worker.thumbnail(bytes, longestSide: 40) == worker.thumbnail(whole, longestSide: 40))
      }
    }
  }

  @Test("a plain JPEG without its end that fits is still compressed again, so that whoever gets it can read it")
  func notPassedThrough() async throws {
    let bytes = Array(try Fixture.image("plain.jpg").dropLast(2))
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes)
      #expect(prepared.changes == [.recompressed])
      #expect(prepared.image.bytes.suffix(2) == [0xff, 0xd9])
    }
  }

  @Test("a JPEG that lacks rows is refused, however few", arguments: files)
  func refused(file: String) async throws {
    let whole = try Fixture.bytes(file)
    try await withWorker { worker in
      // The last byte of the data may be all padding.
      for missing in [6, 9, 17, 33, 120] {
        let error = try await #require(throws: ImagingError.self, "\(missing)") {
          try await worker.prepare(Array(whole.dropLast(missing)))
        }
        #expect(error.kind == .invalidImage)
      }
    }
  }

  @Test("a JPEG that lacks whole scans is refused, though it has all rows")
  func lacksScans() async throws {
    let bytes = try Fixture.image("progressive.jpg")
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xff && bytes[$0 + 1] == 0xda }
    try #require(scans.count > 4)
    try await withWorker { worker in
      for scan in scans.dropFirst() {
        // Before the scan, or before the tables that come with it.
        let end = bytes[..<scan].indices.last { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc4 && $0 > scan - 60 } ?? scan
        for cut in [scan, end] {
          await #expect(throws: ImagingError.self, "\(cut)") { try await worker.prepare(Array(bytes[..<cut])) }
        }
      }
    }
  }

  @Test("a JPEG that lacks its end makes a headshot, which says so")
  func headshot() async throws {
    let whole = try Fixture.portrait("grace_hopper.jpg")
    try await withWorker { worker in
      let job = HeadshotJob(background: .white, preparation: PrepareJob(limits: .generation))
      let made = try await worker.headshot(Array(whole.dropLast(2)), options: job)
      #expect(made.warnings.filter { $0.kind == "incomplete_file" }.count == 1)
      #expect(try await made.image == worker.headshot(whole, options: job).image)
      #expect(made.prepared?.warnings.map(\.kind) == ["incomplete_file"])
    }
  }
}

@Suite("Photos of more than 60 megapixels")
struct LargePhotoTests {
  /// The file with other dimensions in its frame's header.
  static func resized(_ bytes: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    let frame = try #require(
      bytes.indices.dropLast(8).first { bytes[$0] == 0xff && [0xc0, 0xc1, 0xc2].contains(bytes[$0 + 1]) })
    var result = bytes
    let sides = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
    result.replaceSubrange(frame + 5..<frame + 9, with: sides)
    return result
  }

  @Test(
    "photos of more than 60 megapixels are read at a part of their size, if they are JPEGs, in bounded memory",
    arguments: [1280, 4096])
  func read(longestSide: Int) async throws {
    let pixels = try Pixels(jpeg: try Fixture.portrait("grace_hopper.jpg"))
    let bytes = try pixels.jpegFile(width: 9000, height: 12_000)
    try await withWorker { worker in
      let inspected = try await worker.inspect(bytes)
      #expect((inspected.width, inspected.height) == (9000, 12_000))
      let prepared = try await worker.prepare(bytes, options: PrepareJob(longestSide: longestSide, maximumBytes: 7_000_000))
      #expect(prepared.image.height == longestSide)
      let process = try #require(await worker.processIdentifier)
      #expect(try ProcessStatus(of: process).peakKilobytes < 350_000)
      let small = try Pixels(jpeg: try await worker.thumbnail(prepared.image.bytes, longestSide: 200).bytes)
      let expected = try Pixels(
        jpeg: try await worker.thumbnail(try pixels.jpegFile(width: 900, height: 1200), longestSide: 200).bytes)
      #expect(small.distance(to: expected) < 5)
    }
  }

  @Test("photos beyond 250 megapixels are refused before anything is decoded, and so are those that need all memory")
  func refused() async throws {
    let baseline = try Fixture.image("plain.jpg")
    let progressive = try Fixture.image("progressive.jpg")
    try await withWorker { worker in
      func refusal(_ bytes: [UInt8], limits: ImageLimits = .preparation) async throws -> ImagingError {
        try await #require(throws: ImagingError.self) { try await worker.inspect(bytes, limits: limits) }
      }
      _ = try await worker.inspect(try Self.resized(baseline, width: 16_320, height: 12_240))
      let large = try await refusal(try Self.resized(baseline, width: 16_000, height: 16_000))
      #expect(large.kind == .invalidDimensions && large.message.contains("250 megapixels"), "\(large.message)")
      #expect(large.details["maximumPixels"]?.int64 == 250_000_000)
      // With half the colours across and down, as cameras write it.
      var subsampled = try Self.resized(progressive, width: 10_000, height: 8000)
      let frame = try #require(subsampled.indices.dropLast().first { subsampled[$0] == 0xff && subsampled[$0 + 1] == 0xc2 })
      subsampled[frame + 11] = 0x22
      _ = try await worker.inspect(subsampled)
      let inScans = try await refusal(try Self.resized(progressive, width: 20_000, height: 12_000))
      #expect(inScans.kind == .invalidDimensions && inScans.message.contains("progressively"), "\(inScans.message)")
      #expect(inScans.message.contains("60 megapixels"))
      let generated = try await refusal(try Self.resized(baseline, width: 16_320, height: 12_240), limits: .generation)
      #expect(generated.details["remedy"]?.string == "image/prepare", "\(generated)")
      let png = try await refusal(PNGFile(width: 9000, height: 9000).bytes)
      #expect(png.message.contains("60 megapixels"))
    }
  }
}
