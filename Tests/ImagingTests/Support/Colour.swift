import CVips
import Imaging
import Testing

@testable import atelier_imaging

/// One pixel, as a word a table can hold.
enum Colour: String, Sendable {
  case red, green, blue, light, dark, white, other

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    if red > max(green, blue) + 60 {
      self = .red
    } else if green > max(red, blue) + 60 {
      self = .green
    } else if blue > max(red, green) + 60 {
      self = .blue
    } else if min(red, green, blue) >= 245 {
      self = .white
    } else if min(red, green, blue) >= 200 {
      self = .light
    } else {
      self = max(red, green, blue) < 140 ? .dark : .other
    }
  }
}

/// A decoded picture, for looking at what came out. Decoded in this process: only for files made by the worker.
struct Pixels {
  var width: Int
  var height: Int
  private var values: [UInt8]

  init(jpeg bytes: [UInt8]) throws {
    _ = Self.started
    let descriptor = try MemoryFile(bytes)
    let image = try VipsImage.jpeg(InputBytes(reading: bytes.count, from: descriptor.number))
    width = image.width
    height = image.height
    try #require(image.bands == 3 && image.bitsPerBand == 8)
    values = try image.pixels()
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

  private static let started: Int32 = cvips_start("tests", 1)
}
