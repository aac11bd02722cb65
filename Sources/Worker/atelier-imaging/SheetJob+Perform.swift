import AtelierProtocol
import Imaging

extension SheetJob: WorkerJob {
  /// Of what is encoded anew.
  private static let quality = 95
  /// More pixels than any result has.
  private static let longestSide = 4096

  func perform(on input: InputBytes, at context: JobContext) throws(ImagingError) -> JobOutcome<Report> {
    // The layout came from the main process; its numbers are looked at again before memory depends on them.
    guard layout.isPlausible else { throw .unreadable }
    let report = Report(
      width: PrintDensity.pixels(ofMillimetres: layout.paper.width),
      height: PrintDensity.pixels(ofMillimetres: layout.paper.height))
    let photo = try Photo(input, limits: .preparation)
    do {
      switch format {
      case .pdf: return JobOutcome(report: report, output: try document(photo))
      case .jpeg: return JobOutcome(report: report, output: try picture(photo, report))
      }
    } catch let error as ImagingError {
      throw error
    } catch {
      throw ImagingError(unencodable: error as? VipsFailure ?? VipsFailure(reason: "\(error)"))
    }
  }

  /// The picture's own bytes if they are a plain JPEG; anything else on white, because what shines through is printed black.
  private func document(_ photo: Photo) throws -> [UInt8] {
    // Decoded in any case, so that damage is detected here.
    let pixels = try photo.pixels(longestSide: Self.longestSide)
    let info = photo.info
    let isPlain =
      info.format == .jpeg && info.colourModel == .rgb && info.bitsPerChannel == 8 && photo.orientation == 1
      && !info.metadata.colourProfile && max(info.width, info.height) <= Self.longestSide && photo.warnings.isEmpty
      && !photo.areColoursConverted
    let jpeg = isPlain ? photo.input.withBytes { Array($0) } : try pixels.jpegFile(quality: Self.quality)
    return SheetDocument(
      jpeg: jpeg, width: pixels.width, height: pixels.height, profile: VipsImage.profileOfSRGB(), layout: layout,
      hasCuttingLines: hasCuttingLines
    ).file
  }

  private func picture(_ photo: Photo, _ sides: Report) throws -> [UInt8] {
    let (width, height) = (
      PrintDensity.pixels(ofMillimetres: layout.photo.width), PrintDensity.pixels(ofMillimetres: layout.photo.height)
    )
    let copy = try photo.pixels(longestSide: Self.longestSide).resized(width: width, height: height)
    var canvas = SheetCanvas(width: sides.width, height: sides.height)
    if hasCuttingLines { canvas.draw(layout.cuttingLines) }
    let pixels = try copy.pixels()
    for corner in layout.corners {
      let top = layout.paper.height - corner.y - layout.photo.height
      canvas.put(
        pixels, width: width, height: height, left: PrintDensity.pixels(ofMillimetres: corner.x),
        top: PrintDensity.pixels(ofMillimetres: top))
    }
    if hasCuttingLines { canvas.draw(layout.innerCuttingLines) }
    return try VipsImage.rgb(canvas.pixels, width: canvas.width, height: canvas.height)
      .file(as: .jpeg, quality: Self.quality, density: .usual)
  }
}

extension SheetLayout {
  /// The width of cutting lines, in millimetres: thinner ones are grey or missing, as the program that prints draws them.
  private static let lineWidth = 0.25

  fileprivate var isPlausible: Bool {
    let lengths = [paper.width, paper.height, photo.width, photo.height]
    return lengths.allSatisfy { (1...450).contains($0) } && (1...1000).contains(copies) && columns > 0 && rows > 0
      && columns <= 1000 && rows <= 1000 && copies <= columns * rows && (0...10).contains(gap)
  }

  /// Filled rectangles between copies that touch, which lie over their edges: on white, nobody would see where to cut.
  var innerCuttingLines: [Rectangle] {
    guard gap < Self.lineWidth * 2 else { return [] }
    let width = Self.lineWidth
    return lefts.dropFirst().map { Rectangle(x: $0 - width / 2, y: 0, width: width, height: paper.height) }
      + bottoms.dropLast().map { Rectangle(x: 0, y: $0 - width / 2, width: paper.width, height: width) }
  }

  /// Filled rectangles over the whole paper, just outside of the copies, which lie over them.
  var cuttingLines: [Rectangle] {
    let width = Self.lineWidth
    func edges(_ starts: [Double], _ length: Double) -> [Double] { starts.flatMap { [$0 - width, $0 + length] } }
    return edges(lefts, photo.width).map { Rectangle(x: $0, y: 0, width: width, height: paper.height) }
      + edges(bottoms, photo.height).map { Rectangle(x: 0, y: $0, width: paper.width, height: width) }
  }

  /// In millimetres from the lower left corner of the paper.
  struct Rectangle: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }
}

/// White paper in pixels, 300 in an inch; rows from the top.
struct SheetCanvas {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: 255, count: width * height * 3)
  }

  /// Black rectangles, in millimetres from the lower left corner.
  mutating func draw(_ rectangles: [SheetLayout.Rectangle]) {
    for rectangle in rectangles {
      let left = PrintDensity.pixels(ofMillimetres: rectangle.x)
      let right = left + max(1, PrintDensity.pixels(ofMillimetres: rectangle.width))
      let bottom = height - PrintDensity.pixels(ofMillimetres: rectangle.y)
      let top = bottom - max(1, PrintDensity.pixels(ofMillimetres: rectangle.height))
      for y in max(0, top)..<max(0, min(height, bottom)) {
        for x in max(0, left)..<max(0, min(width, right)) {
          for band in 0..<3 { pixels[(y * width + x) * 3 + band] = 0 }
        }
      }
    }
  }

  /// Puts RGB pixels on the paper; what lies beyond its edges is left out.
  mutating func put(_ picture: [UInt8], width pictureWidth: Int, height pictureHeight: Int, left: Int, top: Int) {
    guard picture.count == pictureWidth * pictureHeight * 3 else { return }
    let columns = max(0, -left)..<max(max(0, -left), min(pictureWidth, width - left))
    for y in 0..<pictureHeight where (0..<height).contains(top + y) {
      let (from, to) = (y * pictureWidth * 3, ((top + y) * width + left) * 3)
      for index in columns.lowerBound * 3..<columns.upperBound * 3 { pixels[to + index] = picture[from + index] }
    }
  }
}
