import Glibc
import Imaging

/// Converts the pixels of a picture whose colours are named by numbers to sRGB with 8 bits.
///
/// Each number becomes light, the light of the picture's primaries becomes that of sRGB, and what is brighter than a screen
/// without HDR can show is compressed.
struct ColourConversion {
  /// Of a picture in HDR, this is white paper, and the white of sRGB before it makes room for what is brighter
  /// (ITU-R BT.2408, 2.2).
  static let diffuseWhite = 203.0
  /// The brightest light that is told apart, in cd/m²: HLG's nominal peak, and the usual one of pictures in PQ.
  static let peak = 1000.0
  /// Up to this part of the white of sRGB, the light of a picture in HDR stays as it is: skin and everything darker.
  static let knee: Float = 0.8

  private let isHybridLogGamma: Bool
  private let isHDR: Bool
  /// The light of each number of a channel.
  private let light: [Float]
  /// The part of red, green and blue in the brightness.
  private let luminance: SIMD4<Float>
  /// Columns: what red, green and blue give of sRGB's.
  private let matrix: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)

  /// Whether the primaries are colours from which those of sRGB can be mixed.
  static func canConvert(_ colours: ColourDescription) -> Bool { toSRGB(colours.primaries) != nil }

  /// - Parameter bits: 8 or 16 for each channel.
  /// - Returns: nil where ``canConvert(_:)`` says no.
  init?(_ colours: ColourDescription, bits: Int) {
    guard let (matrix, luminance) = Self.toSRGB(colours.primaries) else { return nil }
    let transfer = colours.transfer
    isHDR = transfer.isHDR
    isHybridLogGamma = transfer == .hybridLogGamma
    let unit = transfer == .perceptualQuantizer ? 10_000 / Self.diffuseWhite : 1
    let highest = Double(1 << bits - 1)
    let (black, white) = colours.isFullRange ? (0, highest) : (Double(16 << (bits - 8)), Double(235 << (bits - 8)))
    light = (0...Int(highest)).map { Float(transfer.light((Double($0) - black) / (white - black)) * unit) }
    func vector(_ numbers: [Double]) -> SIMD4<Float> {
      SIMD4(Float(numbers[0]), Float(numbers[1]), Float(numbers[2]), 0)
    }
    func column(_ index: Int) -> SIMD4<Float> { vector(matrix.map { $0[index] }) }
    self.luminance = vector(luminance)
    self.matrix = (column(0), column(1), column(2))
  }

  /// - Parameter numbers: of red, green and blue in turn, or of gray alone.
  /// - Returns: red, green and blue of sRGB in turn.
  func bytes<Number: FixedWidthInteger>(of numbers: [Number], isGray: Bool) -> [UInt8] {
    let step = isGray ? 1 : 3
    let count = numbers.count / step
    return [UInt8](unsafeUninitializedCapacity: count * 3) { target, initialised in
      numbers.withUnsafeBufferPointer { numbers in
        light.withUnsafeBufferPointer { light in
          Self.encoded.withUnsafeBufferPointer { encoded in
            for index in 0..<count {
              let at = index * step
              let (red, green, blue) = (light[Int(numbers[at])], light[Int(numbers[at + (isGray ? 0 : 1)])],
                light[Int(numbers[at + (isGray ? 0 : 2)])])
              let result = converted(SIMD4(red, green, blue, 0))
              for channel in 0..<3 {
                target[index * 3 + channel] = encoded[Int(result[channel] * Float(Self.steps) + 0.5)]
              }
            }
          }
        }
      }
      initialised = count * 3
    }
  }

  /// The light of sRGB, 0…1.
  @inline(__always)
  private func converted(_ light: SIMD4<Float>) -> SIMD4<Float> {
    var light = light
    if isHybridLogGamma {
      // What a screen of that peak makes of the scene (ITU-R BT.2100, table 5).
      let brightness = max(0, (light * luminance).sum())
      light *= powf(brightness, 0.2) * Float(Self.peak / Self.diffuseWhite)
    }
    var result = matrix.red * light.x + matrix.green * light.y + matrix.blue * light.z
    if isHDR {
      // By the brightest channel, and all alike, so that a bright colour keeps its hue.
      let brightest = max(result.x, result.y, result.z)
      if brightest > Self.knee { result *= Self.compressed(brightest) / brightest }
    }
    result.clamp(lowerBound: .zero, upperBound: .one)
    return result
  }

  /// Light above the knee: as steep as before at the knee, and 1 at the peak.
  static func compressed(_ light: Float) -> Float {
    let room = 1 - knee
    let excess = (light - knee) / room
    let most = (Float(peak / diffuseWhite) - knee) / room
    return knee + room * min(1, excess * (1 + excess / (most * most)) / (1 + excess))
  }

  // MARK: - sRGB

  private static let steps = 16_383

  /// The bytes of light in equal steps from 0 to 1: fine enough for the darkest bytes, which differ by five steps.
  private static let encoded: [UInt8] = (0...steps).map { step in
    let light = Double(step) / Double(steps)
    let number = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((number * 255).rounded())
  }

  // MARK: - Primaries

  private typealias Matrix = [[Double]]

  /// The matrix from light of the primaries to light of sRGB, and the part of each in the brightness.
  private static func toSRGB(_ primaries: Primaries) -> (matrix: [[Double]], luminance: [Double])? {
    guard let source = toXYZ(primaries), let target = toXYZ(.sRGB), let fromXYZ = inverse(target),
      let adapted = adaptation(from: primaries.white, to: Primaries.sRGB.white)
    else { return nil }
    let matrix = product(product(fromXYZ, adapted), source)
    guard (matrix + source).joined().allSatisfy({ abs($0) < 1000 }) else { return nil }
    return (matrix, source[1])
  }

  /// Columns: red, green and blue, which add up to white of the brightness 1 (SMPTE RP 177).
  private static func toXYZ(_ primaries: Primaries) -> Matrix? {
    let colours = [primaries.red, primaries.green, primaries.blue]
    let unscaled = [colours.map(\.x), colours.map(\.y), colours.map { 1 - $0.x - $0.y }]
    guard let inverse = inverse(unscaled) else { return nil }
    let parts = product(inverse, xyz(primaries.white).map { [$0] }).map { $0[0] }
    return unscaled.map { row in zip(row, parts).map { $0 * $1 } }
  }

  private static func xyz(_ white: Chromaticity) -> [Double] { [white.x / white.y, 1, (1 - white.x - white.y) / white.y] }

  /// Bradford's, as in the profiles of the ICC.
  private static func adaptation(from white: Chromaticity, to other: Chromaticity) -> Matrix? {
    let cones: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    guard let back = inverse(cones) else { return nil }
    func response(_ white: Chromaticity) -> [Double] { product(cones, xyz(white).map { [$0] }).map { $0[0] } }
    let (from, to) = (response(white), response(other))
    guard from.allSatisfy({ abs($0) > 1e-6 }) else { return nil }
    let scaled = cones.indices.map { row in cones[row].map { $0 * to[row] / from[row] } }
    return product(back, scaled)
  }

  private static func product(_ first: Matrix, _ second: Matrix) -> Matrix {
    first.map { row in
      second[0].indices.map { column in row.indices.reduce(0) { $0 + row[$1] * second[$1][column] } }
    }
  }

  /// - Returns: nil for a matrix of 3 × 3 that has none.
  private static func inverse(_ m: Matrix) -> Matrix? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (r, s) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return m[r][c] * m[s][d] - m[r][d] * m[s][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
    guard abs(determinant) > 1e-9 else { return nil }
    return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
  }
}

extension VipsImage {
  /// An sRGB image of 8 bits, computed, without metadata.
  /// - Parameter colours: what the image's numbers stand for.
  /// - Returns: nil for colours that cannot be converted.
  func converted(from colours: ColourDescription) throws(VipsFailure) -> VipsImage? {
    guard bands == 1 || bands == 3, let conversion = ColourConversion(colours, bits: bitsPerBand) else { return nil }
    let isGray = bands == 1
    let bytes =
      bitsPerBand == 8
      ? conversion.bytes(of: try pixels(), isGray: isGray) : conversion.bytes(of: try widePixels(), isGray: isGray)
    return try .rgb(bytes, width: width, height: height)
  }
}
