import AtelierProtocol
import Imaging
import Testing

@testable import Providers

@Suite("The sizes of photos for passports")
struct PassportTableTests {
  private let table = PassportTable.builtIn

  @Test("each passport size of the list can be made, and its name is that of a country or begins with one")
  func published() throws {
    #expect(table.presets.count == PassportTable.rows.count, "a size of the list cannot be read")
    #expect(Set(table.presets.map(\.id)).count == table.presets.count)
    for (preset, row) in zip(table.presets, PassportTable.rows.sorted { $0.id < $1.id }) {
      #expect(PassportTable.fault(of: preset) == nil, "\(preset.id)")
      #expect((row.head == nil) == (preset.headHeight == nil) && (row.eyes == nil) == (preset.eyeHeight == nil), "\(row.id)")
      let country = preset.id.prefix { $0 != "-" }
      #expect(country.count == 2, "\(preset.id)")
    }
  }

  @Test("a passport size has the rule of those who ask for it, unless another head is asked for", arguments: [
    ("35x45", nil, 0.7, 0.8), ("2x2in", nil, 0.5, 0.6875), ("51x51", nil, 0.5, 0.6875), ("us", nil, 0.5, 0.6875),
    ("50x70", nil, 31.0 / 70, 36.0 / 70), ("33x48", nil, 28.0 / 48, 33.0 / 48), ("36x47", nil, 0.7, 0.8),
    ("nl", nil, 26.0 / 45, 30.0 / 45), ("35x45", "26-30", 26.0 / 45, 30.0 / 45), ("fi", nil, 33.2 / 47, 36.0 / 47),
    ("40x40", nil, 0.5, 0.6875), ("36x47", "60-65%", 0.6, 0.65), ("2x2in", "1-1.25in", 0.5, 0.625),
    ("us", "30", 30 / 50.8, 30 / 50.8),
  ] as [(String, String?, Double, Double)])
  func rules(size: String, head: String?, least: Double, most: Double) throws {
    let wanted = try #require(PassportSize(text: size))
    let photo = try table.photo(of: wanted, head: head.flatMap(HeadHeight.init), pixels: nil)
    #expect(abs(photo.head.least - least) < 1e-3 && abs(photo.head.most - most) < 1e-3)
    #expect(head == nil || photo.eyes == nil)
  }

  @Test("a passport size in millimetres is exactly that, and two inches are two inches", arguments: [
    ("51x51", 51, 51), ("2x2in", 50.8, 50.8), ("us", 50.8, 50.8), ("3.5x4.5cm", 35, 45), ("36×47", 36, 47),
    ("35X45MM", 35, 45),
  ] as [(String, Double, Double)])
  func exactly(text: String, width: Double, height: Double) throws {
    let wanted = try #require(PassportSize(text: text))
    let printed = try table.photo(of: wanted, head: nil, pixels: nil).printed
    #expect(printed.map { abs($0.width - width) < 1e-9 && abs($0.height - height) < 1e-9 } == true)
  }

  @Test("a text that is no passport size is none", arguments: [
    "", "35", "35x", "x45", "35x45x55", "0x0", "10x10", "300x400", "45x35", "35x90", "1e2x1e2", "35x45ft", "-35x45", "u",
    "u s", "é", "35.12345x45", "99999x99999",
  ])
  func noSize(text: String) { #expect(PassportSize(text: text) == nil) }

  @Test("a text that is no height of a head is none", arguments: [
    "", "-", "30-26", "26-", "-30", "26-30-34", "200", "0-10", "5-95%", "70-95%", "a-b", "26 - 30",
  ])
  func noHead(text: String) { #expect(HeadHeight(text: text) == nil) }

  @Test("a photo for a passport that cannot be is refused with the reason")
  func refused() throws {
    func problem(_ size: String?, _ head: String? = nil, _ pixels: (Int, Int)? = nil) -> PassportTable.Problem? {
      do throws(PassportTable.Problem) {
        _ = try table.photo(
          of: size.flatMap(PassportSize.init), head: head.flatMap(HeadHeight.init), pixels: pixels.map { ($0.0, $0.1) })
        return nil
      } catch {
        return error
      }
    }
    #expect(problem("xx-none") == .unknownName("xx-none"))
    #expect(problem("35x45", "44-46") == .headTooHigh(height: 45))
    #expect(problem("35x45", "3") == .headTooLow(height: 45))
    #expect(problem(nil, "26-30", (600, 750)) == .noPrintSize)
    #expect(problem("35x45", nil, (600, 600)) == .otherShape(PrintSize(width: 35, height: 45)))
    #expect(problem("35x45", nil, (413, 531)) == nil)
    #expect(problem(nil, "70-80%", (600, 750)) == nil)
    #expect(problem(nil) == nil)
  }

  @Test("a passport size that names the eyes alone has the usual head, and one that names a head has no others' eyes")
  func eyes() throws {
    let size = try #require(PassportSize(text: "35x45"))
    func photo(_ head: String?, _ eyes: String?) throws -> PassportPhoto {
      let preset = PassportPreset(
        id: "club", title: "Club card", size: size, headHeight: head.flatMap(HeadHeight.init),
        eyeHeight: eyes.flatMap(HeadHeight.init))
      return try PassportTable(adding: [preset]).photo(of: PassportSize(text: "club"), head: nil, pixels: nil)
    }
    let usual = try photo(nil, nil)
    #expect(try photo(nil, "25-28").head == usual.head && photo(nil, "25-28").eyes?.least == 25.0 / 45)
    #expect(usual.eyes?.least == 0.5)
    #expect(try photo("26-30", nil).eyes == nil)
  }

  @Test("a sheet of a passport photo is refused where the list has its size no more, or another one")
  func printed() throws {
    func table(_ text: String) throws -> PassportTable {
      PassportTable(adding: [PassportPreset(id: "club", title: "Club", size: try #require(PassportSize(text: text)))])
    }
    var output = Generate.Output()
    (output.crop, output.passportSize) = (.passport, PassportSize(text: "club"))
    let (asked, made) = (output, (width: 354, height: 472))
    #expect(try table("30x40").printed(of: asked, made: made) == PrintSize(width: 30, height: 40))
    #expect(throws: PassportTable.Problem.otherShape(PrintSize(width: 35, height: 45))) {
      try table("35x45").printed(of: asked, made: made)
    }
    #expect(throws: PassportTable.Problem.unknownName("club")) { try self.table.printed(of: asked, made: made) }
    #expect(try self.table.printed(of: nil, made: made) == nil)
  }

  @Test("an operator's passport size replaces a built-in one of its name, and a faulty one says what it must be")
  func operators() throws {
    let size = try #require(PassportSize(text: "30x40"))
    let own = PassportPreset(id: "us", title: "Ours", size: size)
    let table = PassportTable(adding: [own, PassportPreset(id: "club", title: "Club card", size: size)])
    #expect(table.presets.count == self.table.presets.count + 1)
    #expect(table.preset(of: PassportSize(text: "US"))?.title == "Ours")
    #expect(table.preset(of: PassportSize(text: "club"))?.size == size)
    func fault(_ change: (inout PassportPreset) -> Void) -> String? {
      var preset = own
      change(&preset)
      return PassportTable.fault(of: preset)?.member
    }
    #expect(fault { _ in } == nil)
    #expect(fault { $0.id = "Club 1" } == "id")
    #expect(fault { $0.id = "35x45" } == "id")
    #expect(fault { $0.size = PassportSize(text: "nl") ?? size } == "size")
    #expect(fault { $0.headHeight = HeadHeight(text: "39-40") } == "headHeight")
    #expect(fault { $0.headHeight = HeadHeight(text: "1-2") } == "headHeight")
    #expect(fault { $0.eyeHeight = HeadHeight(text: "39-45") } == "eyeHeight")
    #expect(fault { $0.pixels = "many" } == "pixels")
    #expect(fault { $0.pixels = "600x600" } == "pixels")
    #expect(fault { $0.pixels = "60x80" } == "pixels")
    #expect(fault { $0.pixels = "600x800" } == nil)
    #expect(fault { ($0.minBytes, $0.maxBytes) = (2000, 1500) } == "minBytes")
    #expect(fault { $0.maxBytes = 5 } == "maxBytes")
  }
}
