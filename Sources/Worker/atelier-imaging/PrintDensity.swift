import Imaging

/// How many pixels of a picture are printed in a millimetre.
struct PrintDensity: Equatable {
  var across: Double
  var down: Double

  private static let millimetresPerInch = 25.4
  /// That of a photo printed well.
  static let usual = PrintDensity(across: 300 / millimetresPerInch, down: 300 / millimetresPerInch)

  init(across: Double, down: Double) { (self.across, self.down) = (across, down) }

  /// The density at which a picture of these sides has the size of a passport's photo; otherwise the usual one.
  init(of shape: HeadshotShape, width: Int, height: Int) {
    guard let size = shape.passport?.printed else {
      self = .usual
      return
    }
    self.init(across: Double(width) / size.width, down: Double(height) / size.height)
  }

  /// The pixels of a length on paper with the usual density.
  static func pixels(ofMillimetres length: Double) -> Int { Int((length * usual.across).rounded()) }

  /// The file with a JFIF header (JFIF 1.02), which has whole numbers of pixels in an inch.
  /// - Parameter jpeg: without one, as libvips writes a file without metadata.
  func added(toJPEG jpeg: [UInt8]) -> [UInt8] {
    func perInch(_ density: Double) -> [UInt8] {
      let whole = UInt16(max(1, min(65_535, (density * Self.millimetresPerInch).rounded())))
      return [UInt8(whole >> 8), UInt8(whole & 255)]
    }
    let header = Array("JFIF\0".utf8) + [1, 2, 1] + perInch(across) + perInch(down) + [0, 0]
    return jpeg.prefix(2) + [0xff, 0xe0, 0, UInt8(header.count + 2)] + header + jpeg.dropFirst(2)
  }
}
