import AtelierProtocol
import PictureFiles
import Testing

@testable import Imaging
@testable import atelier_imaging

@Suite("The print size of a picture")
struct PrintSizeTests {
  /// What a file says, in millimetres.
  struct PrintedSize {
    var width: Double
    var height: Double

    init(_ image: EncodedImage) throws {
      let density =
        switch image.format {
        case .png: try Self.png(image.bytes)
        case .jpeg: try Self.jpeg(image.bytes)
        default: try Self.webp(image.bytes)
        }
      (width, height) = (Double(image.width) / density.across, Double(image.height) / density.down)
    }

    /// Pixels per millimetre.
    typealias Density = (across: Double, down: Double)

    /// The chunk `pHYs`, in pixels per metre.
    static func png(_ bytes: [UInt8]) throws -> Density {
      var chunks = try #require(PNGChunks(bytes))
      while let chunk = chunks.next() {
        var reader = ByteReader(chunk.data)
        guard chunk.name == "pHYs" else { continue }
        let (across, down, unit) = (reader.bigEndian(4), reader.bigEndian(4), reader.byte())
        try #require(unit == 1)
        return (Double(try #require(across)) / 1000, Double(try #require(down)) / 1000)
      }
      throw AtelierError(.internal, "The PNG has no density.")
    }

    /// The JFIF header, which is the first segment, in pixels per inch.
    static func jpeg(_ bytes: [UInt8]) throws -> Density {
      var segments = try #require(JPEGSegments(bytes))
      let header = segments.next()
      let first = try #require(header)
      try #require(first.marker == 0xe0)
      var reader = ByteReader(first.data)
      let (name, _, unit) = (reader.text(5), reader.bigEndian(2), reader.byte())
      let (across, down, preview) = (reader.bigEndian(2), reader.bigEndian(2), reader.bigEndian(2))
      try #require(name == "JFIF\0" && unit == 1)
      #expect(preview == 0 && reader.isAtEnd)
      return (Double(try #require(across)) / 25.4, Double(try #require(down)) / 25.4)
    }

    /// EXIF: tags 282 and 283, in pixels per inch or centimetre.
    static func webp(_ bytes: [UInt8]) throws -> Density {
      var chunks = try #require(WebPChunks(bytes))
      var exif: [UInt8]?
      while let chunk = chunks.next() {
        if chunk.name == "EXIF" { exif = Array(chunk.data) }
      }
      var tiff = try #require(exif)
      if tiff.starts(with: Array("Exif".utf8)) { tiff.removeFirst(6) }
      let isLittle = tiff[0] == UInt8(ascii: "I")
      func number(_ at: Int, _ count: Int) -> Int {
        let part = Array(tiff[at..<at + count])
        return (isLittle ? part.reversed() : part).reduce(0) { $0 << 8 | Int($1) }
      }
      let directory = number(4, 4)
      var values: [Int: Double] = [:]
      for index in 0..<number(directory, 2) {
        let entry = directory + 2 + index * 12
        let tag = number(entry, 2)
        if tag == 282 || tag == 283 {
          let at = number(entry + 8, 4)
          values[tag] = Double(number(at, 4)) / Double(number(at + 4, 4))
        }
        if tag == 296 { values[tag] = Double(number(entry + 8, 2)) }
      }
      let unit = values[296] == 3 ? 10 : 25.4
      return (try #require(values[282]) / unit, try #require(values[283]) / unit)
    }
  }

  @Test(
    "the print size of a passport's photo is exactly its own, in every format and size",
    arguments: [
      PrintSize(width: 35, height: 45), PrintSize(width: 50.8, height: 50.8), PrintSize(width: 51, height: 51),
      PrintSize(width: 36, height: 47),
    ], PictureFormat.allCases)
  func passport(size: PrintSize, format: PictureFormat) async throws {
    try await withWorker { worker in
      for longestSide in [531, 1024] {
        let job = HeadshotJob(
          background: .white, format: format,
          shape: .passport(PassportPhoto(printed: size, head: 0.7...0.8), printed: size, longestSide: longestSide),
          wantsMatte: true)
        let made = try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: job)
        #expect(max(made.image.width, made.image.height) == longestSide)
        for image in [made.image, try #require(made.matte)] {
          let printed = try PrintedSize(image)
          // JPEG has whole numbers of pixels in an inch.
          let part = image.format == .jpeg ? 0.5 / (Double(image.width) / printed.width * 25.4) : 0.0005
          #expect(abs(printed.width / size.width - 1) < part * 1.01, "\(printed)")
          #expect(abs(printed.height / size.height - 1) < part * 1.01, "\(printed)")
        }
      }
    }
  }

  @Test("the print size has the layout of its own rules: the room above the hair differs")
  func layouts() async throws {
    try await withWorker { worker in
      let layouts: [(width: Double, height: Double, head: ClosedRange<Double>)] = [
        (50, 70, 31.0 / 70...36.0 / 70), (35, 45, 26.0 / 45...30.0 / 45), (35, 45, 0.7...0.8),
      ]
      var rooms: [Double] = []
      for (width, height, head) in layouts {
        let size = PrintSize(width: width, height: height)
        let job = HeadshotJob(
          background: .white, format: .png,
          shape: .passport(PassportPhoto(printed: size, head: head), printed: size, longestSide: 600), wantsMatte: true)
        let matte = try #require(try await worker.headshot(try Fixture.portrait("astronaut.png"), options: job).matte)
        let levels = try GrayPixels(png: matte.bytes)
        let top = (0..<matte.height).first { y in (0..<matte.width).contains { levels[$0, y] > 127 } }
        rooms.append(Double(try #require(top)) / Double(matte.height))
      }
      #expect(zip(rooms, rooms.dropFirst()).allSatisfy { $0 > $1 + 0.01 }, "\(rooms)")
    }
  }

  @Test("the print size of a photo in prescribed pixels has exactly these, also where the photo shows less")
  func exactPixels() async throws {
    try await withWorker { worker in
      for (width, height) in [(600, 750), (100, 130), (1500, 1950)] {
        let photo = PassportPhoto(printed: nil, head: 0.7...0.8)
        let job = HeadshotJob(background: .white, shape: .passport(photo, width: width, height: height))
        let image = try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: job).image
        #expect(image.width == width && image.height == height)
        let printed = try PrintedSize(image)
        #expect(abs(Double(width) / printed.width * 25.4 - 300) < 0.05)
      }
    }
  }

  @Test("the print size of all other pictures is 300 pixels in an inch", arguments: PictureFormat.allCases)
  func usual(format: PictureFormat) async throws {
    try await withWorker { worker in
      for shape in [HeadshotShape(width: 4, height: 5), .wholeFrame(longestSide: 600)] {
        let job = HeadshotJob(background: .white, format: format, shape: shape)
        let image = try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: job).image
        let printed = try PrintedSize(image)
        #expect(abs(Double(image.width) / printed.width * 25.4 - 300) < 0.05)
        #expect(abs(Double(image.height) / printed.height * 25.4 - 300) < 0.05)
      }
    }
  }

  @Test("the print size leaves nothing else of the photo in the file")
  func nothingElse() async throws {
    try await withWorker { worker in
      let image = try await worker.headshot(
        try Fixture.image("face-rotated.jpg"), options: HeadshotJob(background: .white)).image
      #expect(PlainFile.holdsOnlyPixels(image.bytes, format: .jpeg))
    }
  }
}

@Suite("The most bytes of a picture")
struct MaximumBytesTests {
  @Test(
    "the limit on bytes is kept by as little loss as possible, in each format that has a quality",
    arguments: [.jpeg, .webp] as [PictureFormat])
  func kept(format: PictureFormat) async throws {
    let photo = try Fixture.portrait("grace_hopper.jpg")
    try await withWorker { worker in
      func made(_ maximum: Int?, quality: Int? = nil) async throws -> [UInt8] {
        let job = HeadshotJob(background: .white, format: format, quality: quality, maximumBytes: maximum)
        return try await worker.headshot(photo, options: job).image.bytes
      }
      let usual = try await made(nil)
      #expect(try await made(usual.count) == usual)
      let smaller = try await made(usual.count - 1)
      #expect(smaller.count < usual.count)
      let least = try await made(nil, quality: 90).count
      #expect(smaller.count >= least)
      let half = try await made(usual.count / 2)
      #expect(half.count <= usual.count / 2)
      #expect(half.count > usual.count / 2 * 8 / 10, "more was lost than needed")
      let error = try await #require(throws: ImagingError.self) { try await made(2000) }
      #expect(error.kind == .imageTooLarge)
      #expect(error.details["maxBytes"]?.int64 == 2000)
      #expect((error.details["bytes"]?.int64 ?? 0) > 2000)
    }
  }

  @Test(
    "the quality for a limit on bytes is searched for between the lowest and the highest",
    arguments: [1, 29, 30, 31, 50, 91, 92])
  func search(fits quality: Int) throws {
    var asked: [Int] = []
    let search = QualitySearch(maximumBytes: quality * 100, highest: 92)
    func encode(_ quality: Int) -> [UInt8] {
      asked.append(quality)
      return [UInt8](repeating: 0, count: quality * 100)
    }
    if quality < QualitySearch.lowest {
      #expect(throws: ImagingError.self) { try search.file(encode) }
    } else {
      #expect(try search.file(encode).count == quality * 100)
    }
    #expect(asked.count <= 8)
    #expect(asked.allSatisfy { (QualitySearch.lowest...92).contains($0) })
    // A quality below the lowest that was asked for stays.
    #expect(try QualitySearch(maximumBytes: 2000, highest: 10).file(encode).count == 1000)
  }
}

@Suite("The fewest bytes of a picture")
struct MinimumBytesTests {
  @Test("the fewest bytes are reached by a higher quality, and then by comments that no picture shows")
  func reached() async throws {
    let photo = try Fixture.portrait("grace_hopper.jpg")
    try await withWorker { worker in
      func made(_ minimum: Int?, _ maximum: Int? = nil, quality: Int? = nil) async throws -> EncodedImage {
        let job = HeadshotJob(
          background: .white, quality: quality, maximumBytes: maximum, minimumBytes: minimum,
          shape: HeadshotShape(longestSide: 300))
        return try await worker.headshot(photo, options: job).image
      }
      let usual = try await made(nil).bytes
      #expect(try await made(usual.count).bytes == usual)
      let best = try await made(nil, quality: 100).bytes.count
      let better = try await made(usual.count + 1).bytes.count
      #expect((usual.count + 1...best).contains(better))
      for (least, most) in [(best + 1, nil), (best + 3, best + 3), (best + 100_000, nil), (usual.count + 1, usual.count + 1)]
        as [(Int, Int?)]
      {
        let filled = try await made(least, most)
        #expect(filled.bytes.count == least)
        // What was filled up is still a picture of the same pixels, also for a strict reader.
        let info = try await worker.inspect(filled.bytes)
        #expect(info.width == 300 && info.height == 300)
        _ = try await worker.thumbnail(filled.bytes, longestSide: 64)
      }
    }
  }

  @Test(
    "a file is filled up to exactly the bytes that were asked for", arguments: [0, 1, 2, 3, 4, 5, 65_537, 65_540, 200_000])
  func filling(missing: Int) {
    let file: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xda, 9, 9, 0xff, 0xd9]
    let filled = JPEGFilling.filled(file, to: file.count + missing)
    #expect(filled.count == file.count + missing)
    #expect(filled.starts(with: file.prefix(8)) && filled.suffix(6) == file.suffix(6))
  }
}
