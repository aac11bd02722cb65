import Synchronization

/// Makes the pictures of successful answers: small, real, and different for every request.
struct Picture: Sendable {
  var marker: PictureMarker
  var size: PictureSize

  /// A pattern of eight by eight fields, its colours and shape taken from the marker.
  func png() -> [UInt8] {
    var writer = PNGWriter()
    writer.header(size, bitDepth: 4, colour: .palette)
    writer.chunk("PLTE", palette)
    writer.text(marker.text)
    writer.chunk("IDAT", PNGWriter.stored(patternRows))
    writer.end()
    return writer.bytes
  }

  /// A picture of noise whose file is exactly `count` bytes long, if that is enough for one.
  func png(bytes count: Int) -> [UInt8] {
    let noise = Self.noise(count: count, shape: size)
    var writer = PNGWriter(reservingCapacity: count)
    writer.header(noise.size, bitDepth: 8, colour: .truecolour)
    writer.text(marker.text)
    writer.append(noise.chunk)
    let end = 12
    let missing = count - writer.bytes.count - end
    if missing >= 12 { writer.chunk("paDd", [UInt8](repeating: 0, count: missing - 12)) }
    writer.end()
    return writer.bytes
  }

  // MARK: Pattern

  private static let shades = 8

  /// Eight shades behind, eight in front.
  private var palette: [UInt8] {
    let seed = marker.seed
    let back = [0, 8, 16].map { 0x80 | Int(seed >> $0 & 0x7F) }
    let front = [24, 32, 40].map { Int(seed >> $0 & 0x7F) }
    return [back, front].flatMap { colour in
      (0..<Self.shades).flatMap { shade in colour.map { UInt8($0 * (24 - shade) / 24) } }
    }
  }

  /// Two pixels a byte, each row after a filter byte of zero.
  private var patternRows: [UInt8] {
    let seed = marker.seed
    var rows: [UInt8] = []
    rows.reserveCapacity((1 + (size.width + 1) / 2) * size.height)
    var band = -1
    var row: [UInt8] = []
    for line in 0..<size.height {
      let next = line * Self.shades / size.height
      if next != band {
        band = next
        row = patternRow(band, seed)
      }
      rows += row
    }
    return rows
  }

  private func patternRow(_ band: Int, _ seed: UInt64) -> [UInt8] {
    var row = [UInt8](repeating: 0, count: 1 + (size.width + 1) / 2)
    for column in 0..<size.width {
      let field = column * 8 / size.width
      // The right half mirrors the left.
      let isFront = seed >> UInt64(band * 4 + min(field, 7 - field)) & 1 == 1
      let index = UInt8(band + (isFront ? Self.shades : 0))
      row[1 + column / 2] |= column.isMultiple(of: 2) ? index << 4 : index
    }
    return row
  }

  // MARK: Noise

  private struct Noise: Sendable {
    var size: PictureSize
    /// A whole IDAT chunk.
    var chunk: [UInt8]
  }

  private struct NoiseKey: Hashable {
    var count: Int
    var shape: PictureSize
  }

  /// The last few, because a benchmark asks for the same ones again and again.
  private static let noises = Mutex<[NoiseKey: Noise]>([:])

  private static func noise(count: Int, shape: PictureSize) -> Noise {
    let key = NoiseKey(count: count, shape: shape)
    if let known = noises.withLock({ $0[key] }) { return known }
    let noise = makeNoise(count: count, shape: shape)
    noises.withLock { noises in
      if noises.count >= 4 { noises = [:] }
      noises[key] = noise
    }
    return noise
  }

  private static func makeNoise(count: Int, shape: PictureSize) -> Noise {
    // What the file needs besides pixels: signature, header, marker, padding, end, and a filter byte a row.
    let available = max(16, count - 200 - count / 1000)
    let ratio = Double(shape.width) / Double(shape.height)
    let height = max(1, Int((Double(available) / 3 / ratio).squareRoot()))
    let width = max(1, (available / height - 1) / 3)
    var rows: [UInt8] = []
    rows.reserveCapacity((1 + width * 3) * height)
    var state = UInt64(bitPattern: Int64(count))
    for _ in 0..<height {
      rows.append(0)
      for _ in 0..<width * 3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        rows.append(UInt8(truncatingIfNeeded: state >> 56))
      }
    }
    return Noise(
      size: PictureSize(width: width, height: height), chunk: PNGWriter.encodedChunk("IDAT", PNGWriter.stored(rows)))
  }
}

extension Picture {
  /// Grey fields, their shades taken from the marker.
  func jpeg() -> [UInt8] {
    let seed = marker.seed
    return JPEGWriter.encode(size, comment: marker.text) { column, row in
      UInt8(truncatingIfNeeded: 64 + (seed >> UInt64((column * 7 + row * 5) % 57) & 0x7F))
    }
  }

  /// One colour, taken from the marker.
  func webp() -> [UInt8] {
    let seed = marker.seed
    let colour = [0, 8, 16].map { UInt8(truncatingIfNeeded: seed >> $0) }
    return WebPWriter.encode(size, colour: (colour[0], colour[1], colour[2]), comment: marker.text)
  }

  /// A small file, whole and with good check values, that promises more pixels than any memory holds.
  func enormousPNG() -> [UInt8] {
    var writer = PNGWriter()
    writer.header(PictureSize(width: 60000, height: 60000), bitDepth: 8, colour: .truecolour)
    writer.text(marker.text)
    writer.chunk("IDAT", PNGWriter.stored([UInt8](repeating: 0, count: 1000)))
    writer.end()
    return writer.bytes
  }
}

/// What a picture of the simulator says of the request it answers, so that a test can prove that no answer was mixed
/// up.
///
/// PNG carries it in a `tEXt` chunk, JPEG in a comment; either way it is plain ASCII in the file.
public struct PictureMarker: Sendable, Hashable {
  /// ``fingerprint(of:)`` of the prompt.
  public var prompt: String
  /// The number of the request, as in ``RequestRecord/id``.
  public var request: Int
  /// Which picture of the answer, from 0.
  public var index: Int

  public init(prompt: String, request: Int, index: Int = 0) {
    self.prompt = Self.fingerprint(of: prompt)
    self.request = request
    self.index = index
  }

  /// FNV-1a (64 bits) of the UTF-8 bytes of the prompt, as sixteen hexadecimal digits. The prompt is all text of the
  /// last turn of the user, its parts joined by a newline.
  public static func fingerprint(of prompt: String) -> String { Checksum.hexadecimal(Checksum.fnv1a(prompt.utf8)) }

  /// The marker of a picture's bytes, in whatever format.
  public init?(in picture: some Collection<UInt8>) {
    guard let start = picture.firstRange(of: Self.opening)?.upperBound,
      let end = picture[start...].firstIndex(of: Self.closing)
    else { return nil }
    let fields = String(decoding: picture[start..<end], as: UTF8.self).split(separator: ",")
    guard fields.count == 3, let request = Int(fields[1]), let index = Int(fields[2]) else { return nil }
    (self.prompt, self.request, self.index) = (String(fields[0]), request, index)
  }

  private static let opening = Array("simulated-picture:".utf8)
  private static let closing = UInt8(ascii: ";")

  /// As it stands in the file.
  var text: String { "simulated-picture:\(prompt),\(request),\(index);" }

  /// A number that differs where the marker does, for pixels.
  var seed: UInt64 { Checksum.fnv1a(text.utf8) }
}

/// The width and height of a picture in pixels.
struct PictureSize: Sendable, Hashable {
  var width: Int
  var height: Int

  /// One side in so many, at least a pixel.
  func divided(by factor: Int) -> PictureSize {
    PictureSize(width: max(1, width / factor), height: max(1, height / factor))
  }

  func multiplied(by factor: Int) -> PictureSize { PictureSize(width: width * factor, height: height * factor) }
}
