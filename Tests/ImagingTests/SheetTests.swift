import AtelierProtocol
import PictureFiles
import Testing

@testable import Imaging
@testable import atelier_imaging

@Suite("Sheets for printing")
struct SheetTests {
  private static let passport = PrintSize(width: 35, height: 45)

  private static func layout(
    _ photo: PrintSize = passport, _ paper: String, _ copies: Int? = nil
  ) throws -> SheetLayout {
    try SheetLayout(photo, on: try #require(PaperSize(text: paper)).printed, copies: copies)
  }

  @Test("a sheet has as many copies as fit, turned if more do, with gaps if that is enough", arguments: [
    ("10x15", nil, 8, 150), ("10x15", 4, 4, 100), ("10x15", 8, 8, 150), ("a4", nil, 30, 210), ("5x5", nil, 1, 50),
  ] as [(String, Int?, Int, Double)])
  func copies(paper: String, wanted: Int?, copies: Int, width: Double) throws {
    let layout = try Self.layout(Self.passport, paper, wanted)
    #expect(layout.copies == copies)
    #expect(layout.paper.width == width)
    #expect(layout.corners.count == copies)
  }

  @Test("a sheet of 4 × 6 inches has six photos of 2 × 2 inches, which fill it without gaps")
  func inches() throws {
    let layout = try Self.layout(PrintSize(width: 50.8, height: 50.8), "4x6in")
    #expect(layout.copies == 6 && layout.gap == 0)
    #expect(layout.corners.allSatisfy { $0.x > -0.1 && $0.y > -0.1 })
  }

  @Test("a sheet has its copies inside the paper and apart from each other", arguments: ["10x15", "13x18", "a4", "letter"])
  func apart(paper: String) throws {
    let layout = try Self.layout(Self.passport, paper)
    for (index, corner) in layout.corners.enumerated() {
      #expect(corner.x >= 0 && corner.x + 35 <= layout.paper.width)
      #expect(corner.y >= 0 && corner.y + 45 <= layout.paper.height)
      for other in layout.corners.dropFirst(index + 1) {
        #expect(abs(corner.x - other.x) >= 35 || abs(corner.y - other.y) >= 45)
      }
    }
  }

  @Test("a sheet that is smaller than the photo, or has no room for the copies, is refused")
  func refused() {
    #expect(throws: SheetLayout.Problem.paperTooSmall) {
      try Self.layout(PrintSize(width: 51, height: 71), "5x7")
    }
    #expect(throws: SheetLayout.Problem.tooManyCopies(most: 8)) { try Self.layout(Self.passport, "10x15", 9) }
  }

  @Test(
    "a text that is no paper is none",
    arguments: ["", "10", "a9", "10x", "4x4", "1000x1000mm", "0x0", "-10x15", "10x15m"])
  func noPaper(text: String) { #expect(PaperSize(text: text) == nil) }

  private static func photo(_ worker: ImagingWorker, _ format: PictureFormat = .jpeg) async throws -> [UInt8] {
    let photo = PassportPhoto(printed: passport, head: 0.7...0.8)
    let job = HeadshotJob(
      background: format == .jpeg ? .white : .transparent, format: format,
      shape: .passport(photo, printed: passport, longestSide: 531))
    return try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: job).image.bytes
  }

  @Test("a sheet in PDF has the paper's size, the picture's own bytes, and each copy in its exact size")
  func document() async throws {
    try await withWorker { worker in
      let jpeg = try await Self.photo(worker)
      let layout = try Self.layout(Self.passport, "10x15", 8)
      let job = SheetJob(layout: layout, format: .pdf, hasCuttingLines: true)
      let sheet = try await worker.sheet(jpeg, options: job)
      #expect(sheet.width == 1772 && sheet.height == 1181)
      #expect(sheet.bytes.starts(with: Array("%PDF-1.4\n".utf8)))
      let text = String(decoding: sheet.bytes, as: UTF8.self)
      #expect(text.contains("/MediaBox [0 0 425.1969 283.4646]"))
      #expect(text.components(of: "q 99.2126 0 0 127.5591 ") == 8)
      #expect(text.contains("/ColorSpace [/ICCBased 6 0 R]") && text.contains("/Width 413 /Height 531"))
      #expect(text.contains("0 g\n") && text.components(of: " re f") == layout.columns * 2 + layout.rows * 2)
      #expect(sheet.bytes.contains(jpeg), "the JPEG was encoded anew")
      let plain = try await worker.sheet(
        jpeg, options: SheetJob(layout: layout, format: .pdf, hasCuttingLines: false))
      #expect(!String(decoding: plain.bytes, as: UTF8.self).contains(" re f"))
    }
  }

  @Test("a sheet whose copies touch has cutting lines between them, over their edges")
  func touching() throws {
    let layout = try Self.layout(PrintSize(width: 50.8, height: 50.8), "4x6in")
    let lines = layout.innerCuttingLines
    #expect(lines.count == layout.columns - 1 + layout.rows - 1)
    for line in lines where line.height > line.width {
      #expect(layout.lefts.dropFirst().contains { abs($0 - line.x - line.width / 2) < 1e-9 })
    }
    for line in lines where line.width > line.height {
      #expect(layout.bottoms.dropLast().contains { abs($0 - line.y - line.height / 2) < 1e-9 })
    }
    let text = SheetDocument(
      jpeg: [], width: 600, height: 600, profile: [], layout: layout, hasCuttingLines: true
    ).file
    let drawing = String(decoding: text, as: UTF8.self)
    #expect(drawing.components(of: " re f") == layout.columns * 2 + layout.rows * 2 + lines.count)
    #expect(try Self.layout(Self.passport, "10x15").innerCuttingLines.isEmpty)
    #expect(try Self.layout(PrintSize(width: 8.5, height: 8.5), "29.7x42").copies == SheetCopies.range.upperBound)
  }

  @Test("a sheet in JPEG has 300 pixels in an inch, black lines and the copies on white")
  func picture() async throws {
    try await withWorker { worker in
      let jpeg = try await Self.photo(worker)
      let layout = try Self.layout(Self.passport, "10x15", 8)
      let sheet = try await worker.sheet(
        jpeg, options: SheetJob(layout: layout, format: .jpeg, hasCuttingLines: true))
      let info = try await worker.inspect(sheet.bytes)
      #expect(info.width == 1772 && info.height == 1181)
      let density = try PrintSizeTests.PrintedSize.jpeg(sheet.bytes)
      #expect(abs(density.across * 25.4 - 300) < 0.01 && abs(density.down * 25.4 - 300) < 0.01)
      let pixels = try Pixels(jpeg: sheet.bytes)
      // The corner is white, a line crosses the upper margin, and a face is in the middle of the first copy.
      #expect(pixels[2, 2].green > 240)
      let line = PrintDensity.pixels(ofMillimetres: layout.cuttingLines[0].x) + 1
      #expect(pixels[line, 4].green < 90)
      let corner = layout.corners[0]
      let middle = PrintDensity.pixels(ofMillimetres: corner.x + 17.5)
      let down = PrintDensity.pixels(ofMillimetres: layout.paper.height - corner.y - 22)
      #expect(pixels[middle, down].green < 230)
    }
  }

  @Test("a sheet of a cut-out has it on white, and of a file that is no picture there is none")
  func others() async throws {
    try await withWorker { worker in
      let layout = try Self.layout(Self.passport, "10x15", 1)
      let job = SheetJob(layout: layout, format: .pdf, hasCuttingLines: true)
      let sheet = try await worker.sheet(try await Self.photo(worker, .png), options: job)
      #expect(String(decoding: sheet.bytes, as: UTF8.self).contains("/Filter /DCTDecode"))
      await #expect(throws: ImagingError.self) { try await worker.sheet([1, 2, 3], options: job) }
    }
  }

  @Test("a sheet's lengths in points have four decimals", arguments: [
    (25.4, "72.0000"), (35, "99.2126"), (0, "0.0000"), (-0.25, "-0.7087"),
  ])
  func points(length: Double, text: String) { #expect(SheetDocument.points(length) == text) }
}

extension String {
  /// How often a part occurs.
  fileprivate func components(of part: String) -> Int { split(separator: part, omittingEmptySubsequences: false).count - 1 }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    return indices.contains { self[$0] == first && self[$0...].starts(with: part) }
  }
}
