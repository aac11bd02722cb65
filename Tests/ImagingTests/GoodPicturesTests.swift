import AtelierProtocol
import Encodings
import Imaging
import Testing

@Suite("Pictures that can be read")
struct GoodPicturesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var format: ImageFormat
    var changes: [ImageChange]
    var quarters: [Colour] = [.red, .green, .blue, .light]
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "plain.jpg", format: .jpeg, changes: []),
    Case(name: "progressive.jpg", format: .jpeg, changes: []),
    Case(name: "plain.png", format: .png, changes: []),
    Case(name: "palette.png", format: .png, changes: []),
    Case(name: "interlaced.png", format: .png, changes: []),
    Case(name: "plain.webp", format: .webp, changes: []),
    Case(name: "lossless.webp", format: .webp, changes: []),
    Case(name: "plain.heic", format: .heic, changes: [.formatChanged]),
    Case(name: "plain.avif", format: .avif, changes: [.formatChanged]),
    Case(name: "ten-bit.heic", format: .heic, changes: [.colorConverted, .formatChanged]),
    Case(name: "rotated.heic", format: .heic, changes: [.metadataRemoved, .formatChanged]),
    Case(name: "cmyk.jpg", format: .jpeg, changes: [.colorConverted, .recompressed]),
    Case(
      name: "grey.jpg", format: .jpeg, changes: [.colorConverted, .recompressed],
      quarters: [.dark, .dark, .dark, .light]),
    Case(name: "sixteen-bit.png", format: .png, changes: [.colorConverted, .formatChanged]),
    Case(
      name: "grey-sixteen-bit.png", format: .png, changes: [.colorConverted, .formatChanged],
      quarters: [.dark, .dark, .dark, .light]),
    Case(
      name: "alpha.png", format: .png, changes: [.transparencyFlattened, .formatChanged],
      quarters: [.red, .white, .red, .white]),
    Case(
      name: "alpha.webp", format: .webp, changes: [.transparencyFlattened, .formatChanged],
      quarters: [.red, .white, .red, .white]),
    Case(name: "display-p3.jpg", format: .jpeg, changes: [.metadataRemoved, .colorConverted, .recompressed]),
    Case(name: "private.jpg", format: .jpeg, changes: [.metadataRemoved, .recompressed]),
    Case(name: "orientation-1.jpg", format: .jpeg, changes: [.metadataRemoved, .recompressed]),
    Case(name: "orientation-6.webp", format: .webp, changes: [.rotated, .metadataRemoved, .formatChanged]),
    Case(name: "orientation-8.png", format: .png, changes: [.rotated, .metadataRemoved, .formatChanged]),
  ] + (2...8).map {
    Case(name: "orientation-\($0).jpg", format: .jpeg, changes: [.rotated, .metadataRemoved, .recompressed])
  }

  @Test("pictures are prepared upright, in sRGB, with nothing private", arguments: cases)
  func prepared(_ test: Case) async throws {
    let bytes = try Fixture.image(test.name)
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes)
      #expect(prepared.original.format == test.format)
      #expect(worker.confinement?.seccomp == true)
      #expect(prepared.original.bytes == bytes.count)
      #expect(prepared.changes == test.changes)
      #expect(prepared.image.width > prepared.image.height, "all fixtures are wider than high when upright")
      #expect((prepared.image.width, prepared.image.height) == (prepared.original.width, prepared.original.height))
      if test.changes.isEmpty {
        #expect(prepared.image.bytes == bytes)
        #expect(prepared.image.format == test.format)
      } else {
        #expect(prepared.image.format == .jpeg)
        #expect(!prepared.image.bytes.contains("Secret"))
        let information = try await worker.inspect(prepared.image.bytes)
        #expect(information.metadata == ImageInfo.Metadata(
          exif: false, location: false, xmp: false, iptc: false, colourProfile: false))
        #expect(information.orientation == 1)
      }
      // The thumbnail of the original goes through all conversions even where preparing passes it through.
      let thumbnail = try Pixels(jpeg: try await worker.thumbnail(bytes, longestSide: 60).bytes)
      #expect((thumbnail.width, thumbnail.height) == (60, 45))
      #expect(thumbnail.quarters == test.quarters)
    }
  }

  @Test("pictures show what they carry when probed")
  func probed() async throws {
    try await withWorker { worker in
      let secret = try await worker.inspect(try Fixture.image("private.jpg"))
      #expect(secret.metadata == ImageInfo.Metadata(
        exif: true, location: true, xmp: true, iptc: true, colourProfile: false))
      let turned = try await worker.inspect(try Fixture.image("orientation-6.jpg"))
      #expect((turned.orientation, turned.width, turned.height) == (6, 120, 90))
      let deep = try await worker.inspect(try Fixture.image("grey-sixteen-bit.png"))
      #expect((deep.bitsPerChannel, deep.colourModel) == (16, .grey))
      let wide = try await worker.inspect(try Fixture.image("display-p3.jpg"))
      #expect(wide.metadata.colourProfile)
      let print = try await worker.inspect(try Fixture.image("cmyk.jpg"))
      #expect(print.colourModel == .cmyk)
      let clear = try await worker.inspect(try Fixture.image("alpha.webp"))
      #expect(clear.hasAlpha)
    }
  }

  @Test("pictures in Display P3 and in sRGB look alike once prepared")
  func wideGamut() async throws {
    try await withWorker { worker in
      let names = ["display-p3.jpg", "plain.jpg"]
      var found: [Pixels] = []
      for name in names {
        found.append(try Pixels(jpeg: try await worker.thumbnail(try Fixture.image(name), longestSide: 80).bytes))
      }
      let (wide, plain) = (found[0], found[1])
      #expect(wide.distance(to: plain) < 4)
    }
  }

  @Test("pictures may be untidy in ways all programs accept")
  func untidy() async throws {
    let plain = try Fixture.image("plain.jpg")
    let trailed = plain + Array("MotionPhoto Secret".utf8)
    let stuffed = Array(plain.dropLast(2)) + [0x12, 0x34, 0xff, 0xd9]
    try await withWorker { worker in
      for bytes in [trailed, stuffed] {
        let prepared = try await worker.prepare(bytes)
        #expect(prepared.image.format == .jpeg)
        #expect(!prepared.image.bytes.contains("Secret"))
      }
    }
  }

  @Test("pictures that are too large are scaled down to 1280 pixels")
  func scaledDown() async throws {
    let large = PNGFile(width: 3000, height: 1000).bytes
    try await withWorker { worker in
      let prepared = try await worker.prepare(large)
      #expect((prepared.image.width, prepared.image.height) == (1280, 427))
      #expect(prepared.changes == [.resized, .formatChanged])
      #expect((prepared.original.width, prepared.original.height) == (3000, 1000))
    }
  }

  @Test("pictures lose quality in steps until they fit, and are refused when nothing helps")
  func qualitySteps() async throws {
    let photo = try Fixture.portrait("astronaut.png")
    try await withWorker { worker in
      let normal = try await worker.prepare(photo, options: PrepareJob(maximumBytes: 100_000))
      let tight = try await worker.prepare(photo, options: PrepareJob(maximumBytes: normal.image.bytes.count - 1))
      #expect(tight.image.bytes.count < normal.image.bytes.count)
      let error = try await #require(throws: ImagingError.self) {
        try await worker.prepare(photo, options: PrepareJob(maximumBytes: 1000))
      }
      #expect(error.kind == .imageTooLarge)
      #expect(error.details["maxBytes"]?.int64 == 1000)
      #expect((error.details["bytes"]?.int64 ?? 0) > 1000)
    }
  }

  @Test("pictures of almost 60 megapixels are prepared in bounded memory", arguments: [PNGFile.Colour.rgb, .grey])
  func huge(colour: PNGFile.Colour) async throws {
    let bytes = PNGFile(width: 7700, height: 7700, colour: colour).bytes
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes)
      #expect((prepared.image.width, prepared.image.height) == (1280, 1280))
      let process = try #require(await worker.processIdentifier)
      #expect(try ProcessStatus(of: process).peakKilobytes < 250_000)
    }
  }

  @Test("pictures keep the worker small even when their data would unpack to a quarter of a gigabyte")
  func bomb() async throws {
    let bytes = PNGFile(width: 300, height: 300, data: PNGFile.zeros(1 << 28)).bytes
    try await withWorker { worker in
      let prepared = try await worker.prepare(bytes)
      #expect((prepared.image.width, prepared.image.height) == (300, 300))
      let process = try #require(await worker.processIdentifier)
      #expect(try ProcessStatus(of: process).peakKilobytes < 150_000)
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: self, as: Unicode.ASCII.self).contains(text)
  }
}
