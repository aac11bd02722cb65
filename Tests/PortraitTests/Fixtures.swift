import Foundation

@testable import Portrait

enum Fixtures {
  struct NotAPixmap: Error {}

  /// One of the two portraits: `astronaut`, 416 × 416, or `grace_hopper`, 384 × 450.
  static func portrait(_ name: String) throws -> PixelImage {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let bytes = [UInt8](try Data(contentsOf: tests.appending(path: "Fixtures/portraits/\(name).ppm")))
    // The pixels are whatever follows the third line.
    guard let header = Self.header(of: bytes), header[0] == "P6" else { throw NotAPixmap() }
    let sides = header[1].split(separator: " ").compactMap { Int($0) }
    let count = header.reduce(0) { $0 + $1.utf8.count + 1 }
    guard sides.count == 2, bytes.count == count + sides[0] * sides[1] * 3 else { throw NotAPixmap() }
    return PixelImage(width: sides[0], height: sides[1], pixels: Array(bytes[count...]))
  }

  private static func header(of bytes: [UInt8]) -> [String]? {
    let lines = bytes.prefix(64).split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
    return lines.count == 4 ? lines.prefix(3).map { String(decoding: $0, as: UTF8.self) } : nil
  }
}

extension PixelImage {
  init(width: Int, height: Int, filling: (Int, Int) -> (UInt8, UInt8, UInt8)) {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let colour = filling(x, y)
        pixels += [colour.0, colour.1, colour.2]
      }
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  func colour(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
    let at = (y * width + x) * 3
    return (pixels[at], pixels[at + 1], pixels[at + 2])
  }

  func cut(_ part: PixelRectangle) -> PixelImage {
    var cut: [UInt8] = []
    for y in part.y..<part.y + part.height {
      let start = (y * width + part.x) * 3
      cut += pixels[start..<start + part.width * 3]
    }
    return PixelImage(width: part.width, height: part.height, pixels: cut)
  }

  /// The pixels as colours 0…1.
  var plane: Plane<Colour> {
    var plane = Plane<Colour>(width: width, height: height, repeating: .zero)
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = colour(x, y)
        plane[x, y] = Colour(Float(red), Float(green), Float(blue), 0) / 255
      }
    }
    return plane
  }

  /// As if it were out of focus.
  func blurred(radius: Int) -> PixelImage {
    let soft = (0..<3).reduce(plane) { plane, _ in BoxBlur.apply(plane, radius: radius) }
    return PixelImage(width: width, height: height) { x, y in
      let bytes = (soft[x, y] * 255).roundedBytes
      return (UInt8(bytes.x & 255), UInt8(bytes.y & 255), UInt8(bytes.z & 255))
    }
  }

  /// What a plan asks for.
  func region(of plan: HeadshotPlan) -> PhotoRegion {
    PhotoRegion(image: cut(plan.region), area: Rectangle(plan.region))
  }

  /// Nearest pixels; good enough for what the tests ask.
  func scaled(width newWidth: Int, height newHeight: Int) -> PixelImage {
    if newWidth == width, newHeight == height { return self }
    return PixelImage(width: newWidth, height: newHeight) {
      colour($0 * width / newWidth, $1 * height / newHeight)
    }
  }

  /// Turned clockwise around the middle, the edges continued.
  func rotated(degrees: Double) -> PixelImage {
    let side = Double(max(width, height))
    let square = CropSquare(
      centre: Point(x: Double(width) / 2, y: Double(height) / 2), side: side, rotation: -degrees)
    return CropResampler.image(of: square, in: self, size: Int(side))
  }

  /// This one and another side by side on grey.
  func beside(_ other: PixelImage) -> PixelImage {
    var both: [UInt8] = []
    for y in 0..<max(height, other.height) {
      for image in [self, other] {
        let row = y * image.width * 3
        both +=
          y < image.height
          ? Array(image.pixels[row..<row + image.width * 3]) : [UInt8](repeating: 128, count: image.width * 3)
      }
    }
    return PixelImage(width: width + other.width, height: max(height, other.height), pixels: both)
  }
}

extension Studio {
  /// The whole way, as the worker goes it.
  func headshot(
    of photo: PixelImage, options: HeadshotOptions,
    progress: (HeadshotStage, Double) throws(PortraitError) -> Void = { _, _ in }
  ) throws(PortraitError) -> Headshot {
    let plan = try plan(for: locateFace(in: photo), photoWidth: photo.width, photoHeight: photo.height)
    return try headshot(region: photo.region(of: plan), plan: plan, options: options, progress: progress)
  }
}
