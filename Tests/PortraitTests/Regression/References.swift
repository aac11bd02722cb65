import Foundation

@testable import Portrait

/// The stored results of the scenes, in `Fixtures/headshots`: a contact sheet each of mattes, pictures and their detail,
/// reduced to the means of blocks, and the faces that the plans were made for.
struct References {
  static let mattes = Sheet(file: "mattes.pgm", side: 128, bands: 1)
  static let pictures = Sheet(file: "pictures.ppm", side: 64, bands: 3)
  static let details = Sheet(file: "details.pgm", side: 64, bands: 1)

  static func faces() throws -> [String: StoredFace] {
    try JSONDecoder().decode([String: StoredFace].self, from: Data(contentsOf: folder.appending(path: "faces.json")))
  }

  static func write(_ faces: [String: StoredFace]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(faces) + Data("\n".utf8)).write(to: folder.appending(path: "faces.json"))
  }

  fileprivate static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/headshots")

  /// Square tiles, one for each scene, five in a row, as a Netpbm file that any viewer opens.
  struct Sheet {
    var file: String
    /// The side of a tile in pixels.
    var side: Int
    var bands: Int

    private static let columns = 5
    private var stride: Int { Self.columns * side * bands }

    func tiles() throws -> [[UInt8]] {
      let bytes = [UInt8](try Data(contentsOf: References.folder.appending(path: file)))
      let lines = bytes.prefix(64).split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
      let start = lines.prefix(3).reduce(0) { $0 + $1.count + 1 }
      let rows = (bytes.count - start) / (stride * side)
      return (0..<rows * Self.columns).map { index in
        let first = start + index / Self.columns * side * stride + index % Self.columns * side * bands
        return (0..<side).flatMap { Array(bytes[first + $0 * stride..<first + $0 * stride + side * bands]) }
      }
    }

    func write(_ tiles: [[UInt8]]) throws {
      let rows = (tiles.count + Self.columns - 1) / Self.columns
      var bytes = Array("P\(bands == 1 ? 5 : 6)\n\(Self.columns * side) \(rows * side)\n255\n".utf8)
      for line in 0..<rows * side {
        for column in 0..<Self.columns {
          let index = line / side * Self.columns + column
          let row = line % side * side * bands
          bytes +=
            index < tiles.count
            ? Array(tiles[index][row..<row + side * bands]) : [UInt8](repeating: 0, count: side * bands)
        }
      }
      try Data(bytes).write(to: References.folder.appending(path: file))
    }
  }
}

/// A face location in numbers.
struct StoredFace: Codable {
  var box: [Double]
  var eyes: [Double]
  var roll: Double
  var yaw: Double
  var presence: Double
  /// Median, bright, cast.
  var light: [Double]

  init(_ face: FaceLocation) {
    box = [face.box.x, face.box.y, face.box.width, face.box.height]
    eyes = [face.viewersLeftEye.x, face.viewersLeftEye.y, face.viewersRightEye.x, face.viewersRightEye.y]
    (roll, yaw, presence) = (face.roll, face.yaw, face.presence)
    light = [face.light.median, face.light.bright, face.light.cast.x, face.light.cast.y, face.light.cast.z]
  }

  var location: FaceLocation {
    FaceLocation(
      box: Rectangle(x: box[0], y: box[1], width: box[2], height: box[3]),
      viewersLeftEye: Point(x: eyes[0], y: eyes[1]), viewersRightEye: Point(x: eyes[2], y: eyes[3]), roll: roll,
      yaw: yaw, presence: presence,
      light: PhotoLight(median: light[0], bright: light[1], cast: SIMD3(light[2], light[3], light[4])))
  }
}

/// A picture or matte reduced to the means of its blocks.
enum Digest {
  /// The opacity, 128 × 128.
  static func matte(_ opacity: Plane<Float>) -> [UInt8] {
    blocks(References.mattes.side, of: opacity.width) { x, y in opacity.values[y * opacity.width + x] * 255 }
      .map { UInt8($0.mean.rounded()) }
  }

  /// The colours, 64 × 64 × 3.
  static func picture(_ image: PixelImage) -> [UInt8] {
    let bands = (0..<3).map { band in
      blocks(References.pictures.side, of: image.width) { x, y in Float(image.pixels[(y * image.width + x) * 3 + band]) }
    }
    return (0..<bands[0].count).flatMap { index in bands.map { UInt8($0[index].mean.rounded()) } }
  }

  /// How much green varies within each block: four times its standard deviation, 64 × 64. Blur and noise show here.
  static func detail(_ image: PixelImage) -> [UInt8] {
    blocks(References.details.side, of: image.width) { x, y in Float(image.pixels[(y * image.width + x) * 3 + 1]) }
      .map { UInt8(min(255, (4 * $0.deviation).rounded())) }
  }

  private static func blocks(
    _ count: Int, of side: Int, _ value: (Int, Int) -> Float
  ) -> [(mean: Float, deviation: Float)] {
    let size = side / count
    return (0..<count * count).map { block in
      var (sum, squares): (Float, Float) = (0, 0)
      for y in block / count * size..<(block / count + 1) * size {
        for x in block % count * size..<(block % count + 1) * size {
          let number = value(x, y)
          sum += number
          squares += number * number
        }
      }
      let mean = sum / Float(size * size)
      return (mean, max(0, squares / Float(size * size) - mean * mean).squareRoot())
    }
  }

  /// The mean and the largest absolute difference.
  static func difference(_ found: [UInt8], _ expected: [UInt8]) -> (mean: Double, largest: Int) {
    let differences = zip(found, expected).map { abs(Int($0) - Int($1)) }
    return (Double(differences.reduce(0, +)) / Double(differences.count), differences.max() ?? 0)
  }

  /// The peak signal-to-noise ratio in decibels; of equal bytes 99.
  static func psnr(_ found: [UInt8], _ expected: [UInt8]) -> Double {
    let squares = zip(found, expected).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return squares == 0 ? 99 : min(99, 10 * log10(255 * 255 * Double(found.count) / Double(squares)))
  }
}
