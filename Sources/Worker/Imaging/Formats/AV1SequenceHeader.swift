import PictureFiles

/// What the header of AV1 data says about its colours, which counts where a file has no box `colr` of type `nclx`
/// (AV1 bitstream specification, 5.5; AVIF, 2.1).
struct AV1SequenceHeader {
  let codePoints: ColourCodePoints
  let isGray: Bool

  /// - Parameter data: begins with the sequence header, perhaps after others without pixels.
  init?(_ data: ArraySlice<UInt8>) {
    var reader = ByteReader(data)
    while let header = reader.byte() {
      if header & 4 != 0, reader.byte() == nil { return nil }
      let size = header & 2 != 0 ? Self.leb128(&reader) : Int.max
      guard let size else { return nil }
      // The data may be cut off behind the header.
      let content = reader.take(size) ?? reader.takeRest()
      if header >> 3 & 15 == 1 {
        self.init(sequenceHeader: content)
        return
      }
    }
    return nil
  }

  private static func leb128(_ reader: inout ByteReader<ArraySlice<UInt8>>) -> Int? {
    var value = 0
    for index in 0..<8 {
      guard let byte = reader.byte() else { return nil }
      value |= Int(byte & 0x7f) << (7 * index)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  private init?(sequenceHeader: ArraySlice<UInt8>) {
    var bits = BitReader(sequenceHeader)
    let profile = bits.number(3)
    bits.skip(1)  // still_picture
    let isReduced = bits.flag()
    if isReduced { bits.skip(5) } else { Self.skipOperatingPoints(&bits) }
    let (widthBits, heightBits) = (bits.number(4) + 1, bits.number(4) + 1)
    bits.skip(widthBits + heightBits)
    if !isReduced, bits.flag() { bits.skip(7) }  // the lengths of frame ids
    bits.skip(3)  // superblocks, filters of predictions
    if !isReduced { Self.skipTools(&bits) }
    bits.skip(3)  // superres, cdef, restoration
    // color_config
    if bits.flag(), profile == 2 { bits.skip(1) }
    isGray = profile != 1 && bits.flag()
    let (primaries, transfer, matrix) = bits.flag() ? (bits.number(8), bits.number(8), bits.number(8)) : (2, 2, 2)
    let isRGB = !isGray && primaries == 1 && transfer == 13 && matrix == 0
    let isFullRange = isRGB || bits.flag()
    guard !bits.isExhausted else { return nil }
    codePoints = ColourCodePoints(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
  }

  private static func skipOperatingPoints(_ bits: inout BitReader) {
    var delayBits: Int?
    if bits.flag() {  // timing_info
      bits.skip(64)
      if bits.flag() { bits.skipExponentialGolomb() }
      if bits.flag() {  // decoder_model_info
        delayBits = bits.number(5) + 1
        bits.skip(32 + 5 + 5)
      }
    }
    let hasDisplayDelay = bits.flag()
    for _ in 0...bits.number(5) {
      bits.skip(12)
      if bits.number(5) > 7 { bits.skip(1) }
      if let delayBits, bits.flag() { bits.skip(2 * delayBits + 1) }
      if hasDisplayDelay, bits.flag() { bits.skip(4) }
    }
  }

  private static func skipTools(_ bits: inout BitReader) {
    bits.skip(4)  // compound predictions, warped motion, dual filter
    let hasOrderHint = bits.flag()
    if hasOrderHint { bits.skip(2) }
    let forcesScreenContent = bits.flag() || bits.flag()
    if forcesScreenContent, !bits.flag() { bits.skip(1) }
    if hasOrderHint { bits.skip(3) }
  }
}

/// Reads bits from the highest of each byte on; past the end they are 0.
private struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Whether more bits were asked for than there are.
  var isExhausted: Bool { position > bytes.count * 8 }

  mutating func flag() -> Bool { number(1) == 1 }

  mutating func skip(_ count: Int) { position += count }

  mutating func number(_ count: Int) -> Int {
    (0..<count).reduce(0) { number, _ in
      defer { position += 1 }
      guard position / 8 < bytes.count else { return number << 1 }
      return number << 1 | Int(bytes[bytes.startIndex + position / 8] >> (7 - position % 8) & 1)
    }
  }

  /// A number of unknown size (AV1, 4.10.3).
  mutating func skipExponentialGolomb() {
    var zeros = 0
    while zeros < 32, !isExhausted, !flag() { zeros += 1 }
    skip(zeros < 32 ? zeros : 0)
  }
}
