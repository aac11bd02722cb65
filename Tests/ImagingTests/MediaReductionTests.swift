import AtelierProtocol
import CEmbedded
import PictureFiles
import Support
import Testing

@testable import Imaging
@testable import atelier_imaging

@Suite("What no picture needs of an HEIC or AVIF")
struct MediaReductionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var changes: [ImageChange] = [.formatChanged]
    var make: @Sendable (inout MediaFile) -> Void
    var testDescription: String { name }
  }

  private static let exif: [UInt8] = [0, 0, 0, 6] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  private static let gainMap = MediaFile.kind("urn:com:apple:photo:2020:aux:hdrgainmap")
  private static let depth = MediaFile.kind("urn:mpeg:hevc:2015:auxid:2")
  private static let alpha = MediaFile.kind("urn:mpeg:hevc:2015:auxid:1")

  static let cases = [
    Case(name: "a photo of today's telephones", changes: [.metadataRemoved, .formatChanged]) { file in
      file.addPicture(2, properties: [gainMap])
      file.add(3, "tmap", [UInt8](repeating: 0, count: 62))
      file.add(4, "Exif", exif)
      file.refer("auxl", 2, [1, 3])
      file.refer("dimg", 3, [1, 2])
      file.refer("cdsc", 4, [1, 3])
      file.metaBoxes = [MediaFile.box("grpl", MediaFile.box("altr", [0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 3]))]
    },
    Case(name: "a depth map of two pictures") { file in
      file.addPicture(2, properties: [depth])
      file.addPicture(3)
      file.refer("auxl", 2, [1, 3])
    },
    Case(name: "an auxiliary picture that does not say of what kind it is") { file in
      file.addPicture(2)
      file.refer("auxl", 2, [1])
    },
    Case(name: "auxiliary pictures of themselves, of nothing and of an item that is missing") { file in
      for id in 2...4 { file.addPicture(id, properties: [gainMap]) }
      file.refer("auxl", 2, [2])
      file.refer("auxl", 3, [])
      file.refer("auxl", 4, [77])
    },
    Case(name: "a preview of two pictures, one of a preview, one of itself and one of nothing") { file in
      for id in 2...5 { file.addPicture(id) }
      file.refer("thmb", 2, [1, 3])
      file.refer("thmb", 3, [2])
      file.refer("thmb", 4, [4])
      file.refer("thmb", 5, [88])
    },
    Case(name: "EXIF twice, and of an item that is missing", changes: [.metadataRemoved, .formatChanged]) { file in
      for id in 2...4 { file.add(id, "Exif", exif) }
      file.refer("cdsc", 2, [1])
      file.refer("cdsc", 3, [1])
      file.refer("cdsc", 4, [99])
    },
    Case(name: "EXIF beyond the end of the file") { file in
      file.add(2, "Exif", exif)
      file.refer("cdsc", 2, [1])
      file.exifOffset = 100_000
    },
    Case(name: "XMP of two items", changes: [.metadataRemoved, .formatChanged]) { file in
      file.add(2, "mime", Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8), contentType: "application/rdf+xml")
      file.addPicture(3)
      file.refer("cdsc", 2, [1, 3])
      file.refer("thmb", 3, [1])
    },
    Case(name: "items of unknown kinds, without data and with references to each other") { file in
      file.add(2, "abcd", nil)
      file.add(3, "uri ", nil)
      file.add(4, "\u{1}\u{2}\u{3}\u{4}", [1, 2, 3])
      file.refer("abcd", 2, [3, 4, 5])
      file.refer("cdsc", 3, [4])
      file.refer("cdsc", 4, [])
    },
    Case(name: "a picture without a configuration, and one of another codec") { file in
      file.items.append(MediaFile.Item(id: 2, type: "vvc1", data: [1, 2, 3], properties: [MediaFile.box("vvcC", [0])]))
      file.items.append(MediaFile.Item(id: 3, type: "grid", data: [0, 0, 0, 0, 0, 1, 0, 1], properties: [gainMap]))
    },
    Case(name: "a damaged group of items") { file in
      file.metaBoxes = [MediaFile.box("grpl", [0, 0, 0, 40, 1, 2, 3])]
    },
    Case(name: "damaged properties of another picture") { file in
      let aperture = MediaFile.box("clap", [UInt8](repeating: 0, count: 32))
      file.addPicture(2, properties: [MediaFile.box("colr", Array("abcd".utf8)), aperture, MediaFile.box("ispe", [0])])
      file.refer("thmb", 2, [1])
    },
    Case(name: "colours as films name them, the light of a screen cut short, and a property that is missing") { file in
      file.items[0].properties = [MediaFile.box("colr", Array("nclc".utf8) + [0, 1, 0, 1, 0, 1]), MediaFile.box("clli", [1])]
      file.strayAssociations = [0x7f]
    },
    Case(name: "a hidden picture") { $0.items[0].isHidden = true },
    Case(name: "a tone map in place of its picture") { file in
      file.addPicture(2, properties: [gainMap])
      // Its light is that of a screen with HDR, and not the picture's.
      let light = MediaFile.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
      file.add(3, "tmap", [UInt8](repeating: 0, count: 62), properties: [light])
      file.refer("dimg", 3, [1, 2])
      file.refer("auxl", 2, [3])
      file.primary = 3
    },
    Case(name: "a second list of items, and a film") { file in
      file.topBoxes = [
        MediaFile.box("meta", [0, 0, 0, 0] + MediaFile.box("hdlr", [UInt8](repeating: 0, count: 25))),
        MediaFile.box("moov", [1, 2, 3]),
      ]
    },
    Case(name: "references that end too early") { file in
      file.addPicture(2, properties: [gainMap])
      file.refer("auxl", 2, [1])
      file.referenceRest = [0, 0, 0]
    },
    Case(name: "transparency of two pictures", changes: [.transparencyFlattened, .formatChanged]) { file in
      file.addPicture(2, properties: [alpha])
      file.addPicture(3)
      file.refer("auxl", 2, [3, 1])
      file.refer("thmb", 3, [1])
    },
  ]

  @Test("the picture is read whatever else its file has, in each form of its boxes", arguments: cases)
  func read(_ test: Case) async throws {
    try await withWorker { worker in
      for format in [ImageFormat.heic, .avif] {
        for (idBytes, isWide) in [(2, false), (4, false), (2, true), (4, true)] {
          var file = try MediaFile(format)
          (file.idBytes, file.isWide) = (idBytes, isWide)
          test.make(&file)
          let (bytes, form) = (file.bytes, "\(format), \(idBytes) bytes, wide: \(isWide)")
          let prepared = try await worker.prepare(bytes)
          #expect(prepared.changes == test.changes, "\(form)")
          let plain = try Pixels(jpeg: try await worker.prepare(try MediaFile(format).bytes).image.bytes)
          let pixels = try Pixels(jpeg: prepared.image.bytes)
          #expect((pixels.width, pixels.height) == (plain.width, plain.height))
          if !test.changes.contains(.transparencyFlattened) { #expect(pixels.distance(to: plain) == 0, "\(form)") }
        }
      }
    }
  }

  private static func reduced(_ bytes: [UInt8]) throws -> [UInt8] {
    var bytes = bytes
    for change in MediaReduction(bytes)?.changes ?? [] {
      let range = change.position..<change.position + change.bytes.count
      try #require(bytes.indices.contains(range.lowerBound) && range.upperBound <= bytes.count, "\(change)")
      bytes.replaceSubrange(range, with: change.bytes)
    }
    return bytes
  }

  @Test("a file that was reduced is not reduced further, and has the length of the whole", arguments: cases)
  func settled(_ test: Case) throws {
    for (idBytes, isWide) in [(2, false), (4, true)] {
      var file = try MediaFile(.heic)
      (file.idBytes, file.isWide) = (idBytes, isWide)
      test.make(&file)
      let once = try Self.reduced(file.bytes)
      #expect(once.count == file.bytes.count)
      #expect(try Self.reduced(once) == once)
    }
  }

  @Test("the picture with which doctor checks HEIC is one of telephones, and embedded as it stands in its folder")
  func embedded() throws {
    let folder = Fixture.path("../../Sources/Base/CEmbedded/pictures")
    for (file, name) in [(embedded_picture_heic(), "telephone.heic"), (embedded_picture_avif(), "plain.avif")] {
      let bytes = try PhotoFile.readBlocking("\(folder)/\(name)", maximumBytes: 10_000)
      #expect(InputBytes(file).withBytes { Array($0) } == bytes)
    }
    let media = try #require(MediaItems(InputBytes(embedded_picture_heic()).withBytes { Array($0) }))
    #expect(media.items.map(\.type) == ["hvc1", "hvc1", "tmap", "Exif"])
    #expect(media.references.map(\.to.count) == [2, 2, 2])
  }

  @Test("a file that has only its picture stays as it is", arguments: [
    "images/plain.heic", "images/plain.avif", "images/face.heic", "images/ten-bit.heic", "images/rotated.heic",
    "colours/profile-and-numbers.avif", "colours/2020-pq-turned.avif", "colours/p3.heic",
  ])
  func plain(name: String) throws {
    let bytes = try Fixture.bytes(name)
    #expect(try Self.reduced(bytes) == bytes)
  }

  @Test("EXIF of two items is left out where there is no room to write its reference with one", arguments: [false, true])
  func noRoom(isWide: Bool) throws {
    var file = try MediaFile(.heic)
    file.isWide = isWide
    file.add(2, "Exif", Self.exif)
    file.refer("cdsc", 2, [1, 3])
    let once = try Self.reduced(file.bytes)
    #expect(try Self.reduced(once) == once)
    // A box that tells its size in 64 bits is written in 32.
    #expect(try #require(MediaItems(once)).items.map(\.id) == (isWide ? [1, 2] : [1]))
  }

  @Test("a picture made of tiles keeps them in their order, and transparency of tiles its own", arguments: [2, 4])
  func tiles(idBytes: Int) throws {
    var file = try MediaFile(.heic)
    file.idBytes = idBytes
    file.primary = 9
    file.items.append(MediaFile.Item(id: 9, type: "grid", data: [0, 0, 0, 1, 0, 200, 0, 200]))
    for id in 2...5 { file.addPicture(id, properties: id == 3 ? [Self.alpha] : []) }
    file.refer("dimg", 9, [2, 1])
    file.refer("thmb", 4, [9])
    file.items.append(MediaFile.Item(id: 8, type: "grid", data: [0, 0, 0, 0, 0, 1, 0, 1], properties: [Self.alpha]))
    file.refer("dimg", 8, [5])
    file.refer("auxl", 8, [4, 9])
    file.refer("prem", 9, [8, 4])
    file.refer("auxl", 3, [4])
    let media = try #require(MediaItems(try Self.reduced(file.bytes)))
    #expect(media.items.map(\.id).sorted() == [1, 2, 5, 8, 9])
    let kept = media.references.filter { $0.kind != "free" }.map { "\($0.kind) \($0.from) \($0.to)" }
    #expect(kept == ["dimg 9 [2, 1]", "dimg 8 [5]", "auxl 8 [9]", "prem 9 [8]"])
  }

  @Test("damage anywhere is met without a change beyond the file's end", arguments: 0..<400 as Range<UInt64>)
  func damage(seed: UInt64) throws {
    var mutation = Mutation(seed: seed)
    let test = Self.cases[mutation.number(below: Self.cases.count)]
    var file = try MediaFile(mutation.number(below: 2) == 0 ? .heic : .avif)
    (file.idBytes, file.isWide) = (mutation.number(below: 2) == 0 ? 2 : 4, mutation.number(below: 2) == 0)
    test.make(&file)
    for _ in 0..<20 {
      let broken = mutation.damaged(file.bytes)
      let once = try Self.reduced(broken)
      #expect(once.count == broken.count, "seed \(seed), \(test.name)")
      _ = UnreadableCause(of: broken, format: .heic, decoderSaid: "")
    }
  }

  @Test("every length of a file is met without a change beyond its end")
  func cutOff() throws {
    var file = try MediaFile(.heic)
    Self.cases[0].make(&file)
    let bytes = file.bytes
    for count in 0..<bytes.count { _ = try Self.reduced(Array(bytes.prefix(count))) }
  }

  @Test("damaged files of telephones are read or refused, and the next picture is read", arguments: 0..<4 as Range<UInt64>)
  func damagedForDecoder(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    var file = try MediaFile(seed % 2 == 0 ? .heic : .avif)
    Self.cases[0].make(&file)
    let bytes = file.bytes
    try await withWorker { worker in
      for _ in 0..<40 {
        do {
          _ = try await worker.prepare(mutation.damaged(bytes))
        } catch let error as ImagingError {
          let expected: [ErrorKind] = [.invalidImage, .unsupportedImage, .invalidDimensions]
          #expect(expected.contains(error.kind), "seed \(seed): \(error)")
        }
      }
      _ = try await worker.prepare(bytes)
    }
  }
}
