import AtelierProtocol
import CVips
import Imaging
import Testing

@testable import atelier_imaging

/// A decoded picture, for looking at what came out and for making what goes in. Decoded in this process: only for
/// files made by the project.
struct Pixels {
  var width: Int
  var height: Int
  private var values: [UInt8]

  init(jpeg bytes: [UInt8]) throws { try self.init(bytes) { try VipsImage.jpeg($0) } }

  init(png bytes: [UInt8]) throws { try self.init(bytes) { try VipsImage.png($0) } }

  private init(_ bytes: [UInt8], load: (InputBytes) throws -> VipsImage) throws {
    _ = Self.started
    let file = try MemoryFile(bytes)
    let image = try load(InputBytes(reading: bytes.count, from: file.number))
    width = image.width
    height = image.height
    try #require(image.bands == 3 && image.bitsPerBand == 8)
    values = try image.pixels()
  }

  private init(width: Int, height: Int, values: [UInt8]) {
    self.width = width
    self.height = height
    self.values = values
  }

  /// A picture of one grey.
  init(width: Int, height: Int, level: UInt8) {
    self.init(width: width, height: height, values: [UInt8](repeating: level, count: width * height * 3))
  }

  subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let start = (y * width + x) * 3
    return (values[start], values[start + 1], values[start + 2])
  }

  /// The colours in the middle of the four quarters: top left, top right, bottom left, bottom right.
  var quarters: [Colour] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { column, row in
      let pixel = self[width * column / 4, height * row / 4]
      return Colour(pixel.red, pixel.green, pixel.blue)
    }
  }

  /// How far two pictures of the same size are apart: the mean difference of a channel, 0…255.
  func distance(to other: Pixels) -> Double {
    let sum = zip(values, other.values).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(values.count)
  }

  /// How far the channels of a pixel are apart, on average.
  var colourfulness: Double {
    let spread = stride(from: 0, to: values.count, by: 3).reduce(0) { sum, at in
      sum + Int(values[at..<at + 3].max() ?? 0) - Int(values[at..<at + 3].min() ?? 0)
    }
    return Double(spread) / Double(width * height)
  }

  /// The picture as a camera stores it that notes this EXIF orientation.
  func stored(orientation: Int) -> Pixels {
    let isTurned = orientation >= 5
    var stored = Pixels(
      width: isTurned ? height : width, height: isTurned ? width : height,
      values: [UInt8](repeating: 0, count: values.count))
    for y in 0..<height {
      for x in 0..<width {
        // EXIF 2.3, tag 274: which side of the scene the stored first row and first column are.
        let (column, row) =
          switch orientation {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (y, width - 1 - x)
          case 7: (height - 1 - y, width - 1 - x)
          case 8: (height - 1 - y, x)
          default: (x, y)
          }
        let from = (y * width + x) * 3
        let to = (row * stored.width + column) * 3
        for channel in 0..<3 { stored.values[to + channel] = values[from + channel] }
      }
    }
    return stored
  }

  /// The picture as JPEG with this EXIF orientation.
  func jpegFile(orientation: Int) throws -> [UInt8] {
    let file = try VipsImage.rgb(values, width: width, height: height).jpegFile(quality: 95)
    let exif: [UInt8] =
      [0xff, 0xe1, 0, 34] + Array("Exif\0\0".utf8) + Array("II".utf8)
      + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0, 0]
    return Array(file.prefix(2)) + exif + Array(file.dropFirst(2))
  }

  func pngFile() throws -> [UInt8] {
    _ = Self.started
    return try VipsImage.rgb(values, width: width, height: height).pngFile()
  }

  /// The picture stretched to these sides, as JPEG.
  func jpegFile(width: Int, height: Int) throws -> [UInt8] {
    try VipsImage.rgb(values, width: self.width, height: self.height).resized(width: width, height: height)
      .jpegFile(quality: 90)
  }

  /// Starts libvips in this process, as the worker does, at its first use.
  static let started: Int32 = cvips_start("tests", 1)
}

/// A decoded picture with an opacity for each pixel. Decoded in this process, like ``Pixels``.
struct TransparentPixels {
  private let width: Int
  private let values: [UInt8]

  init(_ bytes: [UInt8], format: PictureFormat) throws {
    let file = try MemoryFile(bytes)
    let input = try InputBytes(reading: bytes.count, from: file.number)
    _ = Pixels.started
    let image = try format == .png ? VipsImage.png(input) : VipsImage.webp(input)
    try #require(image.bands == 4 && image.bitsPerBand == 8)
    width = image.width
    values = try image.pixels()
  }

  subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8) {
    let start = (y * width + x) * 4
    return (values[start], values[start + 1], values[start + 2], values[start + 3])
  }
}

/// A decoded gray picture. Decoded in this process, like ``Pixels``.
struct GrayPixels {
  private let width: Int
  private let values: [UInt8]

  init(png bytes: [UInt8]) throws {
    let file = try MemoryFile(bytes)
    _ = Pixels.started
    let image = try VipsImage.png(InputBytes(reading: bytes.count, from: file.number))
    try #require(image.bands == 1 && image.bitsPerBand == 8)
    width = image.width
    values = try image.pixels()
  }

  subscript(x: Int, y: Int) -> UInt8 { values[y * width + x] }
}
