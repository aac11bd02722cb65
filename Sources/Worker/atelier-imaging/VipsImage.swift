import AtelierProtocol
import CVips
import Glibc

/// A libvips image: computed lazily until its pixels are copied to memory. Used by one thread only.
///
/// The only owner of the C pointer: it releases the pointer once, in `deinit`, and no method lets it escape.
final class VipsImage {
  private let pointer: OpaquePointer
  /// The encoded bytes of the pixels, while they are still needed.
  private let source: InputBytes?

  private init(_ pointer: OpaquePointer, source: InputBytes?) {
    self.pointer = pointer
    self.source = source
  }

  deinit { cvips_release(pointer) }

  private static func make(
    source: InputBytes?, _ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) throws(VipsFailure) -> VipsImage {
    var result: OpaquePointer?
    guard call(&result) == 0, let result else { throw .take() }
    return VipsImage(result, source: source)
  }

  private func derive(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(VipsFailure) -> VipsImage {
    try Self.make(source: source, call)
  }

  // MARK: - Loading

  /// - Parameter shrink: 1, 2, 4 or 8: decodes only every so many pixels, which is faster and needs less memory.
  static func jpeg(_ bytes: InputBytes, shrink: Int = 1, sequential: Bool = true) throws(VipsFailure) -> VipsImage {
    try make(source: bytes) { cvips_load_jpeg(bytes.start, bytes.count, Int32(shrink), sequential, $0) }
  }

  static func png(_ bytes: InputBytes, sequential: Bool = true) throws(VipsFailure) -> VipsImage {
    try make(source: bytes) { cvips_load_png(bytes.start, bytes.count, sequential, $0) }
  }

  /// - Parameter scale: decodes to this fraction of the size.
  static func webp(_ bytes: InputBytes, scale: Double = 1, sequential: Bool = true) throws(VipsFailure) -> VipsImage {
    try make(source: bytes) { cvips_load_webp(bytes.start, bytes.count, scale, sequential, $0) }
  }

  static func heif(_ bytes: InputBytes, sequential: Bool = true) throws(VipsFailure) -> VipsImage {
    try make(source: bytes) { cvips_load_heif(bytes.start, bytes.count, sequential, $0) }
  }

  // MARK: - Header

  var width: Int { Int(cvips_width(pointer)) }
  var height: Int { Int(cvips_height(pointer)) }
  var bands: Int { Int(cvips_bands(pointer)) }
  var bitsPerBand: Int { Int(cvips_bits_per_band(pointer)) }
  var colour: cvips_colour { cvips_colour_model(pointer) }
  var hasAlpha: Bool { cvips_has_alpha(pointer) }
  var orientation: Int { Int(cvips_orientation(pointer)) }
  func has(_ field: String) -> Bool { cvips_has_field(pointer, field) }
  func hasFieldBeginning(_ prefix: String) -> Bool { cvips_has_field_beginning(pointer, prefix) }
  /// Whether a field is a text that begins so.
  func field(_ name: String, begins prefix: String) -> Bool { cvips_field_begins(pointer, name, prefix) }

  // MARK: - Operations

  func cropped(to area: StoredArea) throws(VipsFailure) -> VipsImage {
    try derive {
      cvips_extract(pointer, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height), $0)
    }
  }

  /// Scaled to exactly these sides, in pixels.
  func resized(width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    if width == self.width, height == self.height { return self }
    return try derive {
      cvips_resize(pointer, Double(width) / Double(self.width), Double(height) / Double(self.height), $0)
    }
  }

  /// Scaled to exactly these sides, also with transparency, whose colours do not show.
  func scaled(width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    try derive { cvips_resize_to(pointer, Int32(width), Int32(height), $0) }
  }

  /// With transparent or black pixels to the right and below.
  func embedded(width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    try derive { cvips_embed(pointer, Int32(width), Int32(height), $0) }
  }

  func repeated(across: Int, down: Int) throws(VipsFailure) -> VipsImage {
    try derive { cvips_replicate(pointer, Int32(across), Int32(down), $0) }
  }

  /// With another image of 8 bits over it: RGB with alpha, in memory, of the same sides.
  func blended(with over: VipsImage) throws(VipsFailure) -> VipsImage {
    let (colours, opacity) = (try over.colours(), try over.alpha())
    return try derive { cvips_blend(pointer, colours.pointer, opacity.pointer, $0) }
  }

  /// Each square of `factor` × `factor` pixels becomes one, their mean.
  func shrunk(by factor: Int) throws(VipsFailure) -> VipsImage {
    factor <= 1 ? self : try derive { cvips_shrink(pointer, Int32(factor), $0) }
  }

  /// - Parameter grey: 0 is black, 1 white.
  func flattened(on grey: Double) throws(VipsFailure) -> VipsImage { try derive { cvips_flatten(pointer, grey, $0) } }

  /// The image without alpha, as it is stored: not premultiplied.
  func colours() throws(VipsFailure) -> VipsImage { try derive { cvips_colours(pointer, $0) } }

  /// The alpha alone, one band of 8 bits.
  func alpha() throws(VipsFailure) -> VipsImage { try derive { cvips_alpha(pointer, $0) } }

  /// Whether the embedded profile is valid and belongs to the colour model.
  var profileFits: Bool { cvips_profile_fits(pointer) }

  /// To sRGB by the embedded colour profile, or by libvips' own for CMYK when `assumingCMYK`.
  func convertedByProfile(assumingCMYK: Bool = false) throws(VipsFailure) -> VipsImage {
    try derive { cvips_to_srgb_by_profile(pointer, assumingCMYK ? "cmyk" : nil, $0) }
  }

  func convertedToSRGB() throws(VipsFailure) -> VipsImage { try derive { cvips_to_srgb(pointer, $0) } }
  func convertedToBytes() throws(VipsFailure) -> VipsImage { try derive { cvips_to_bytes(pointer, $0) } }
  func upright() throws(VipsFailure) -> VipsImage { try derive { cvips_upright(pointer, $0) } }
  /// Turned clockwise.
  func turned(quarterTurns: Int) throws(VipsFailure) -> VipsImage {
    try derive { cvips_turn(pointer, Int32(quarterTurns & 3), $0) }
  }

  /// Turned and mirrored as this EXIF orientation says.
  func upright(from orientation: Int) throws(VipsFailure) -> VipsImage {
    try derive { cvips_upright_from(pointer, Int32(orientation), $0) }
  }

  /// The image whose colours are not multiplied with its alpha any more.
  func unpremultiplied() throws(VipsFailure) -> VipsImage { try derive { cvips_unpremultiply(pointer, $0) } }

  /// The image whose black is 0 and no longer 16 of 255.
  func withFullRange() throws(VipsFailure) -> VipsImage { try derive { cvips_widen_range(pointer, $0) } }

  /// Computes every pixel; the result is independent of the encoded bytes.
  func inMemory() throws(VipsFailure) -> VipsImage {
    try Self.make(source: nil) { cvips_copy_to_memory(pointer, $0) }
  }

  // MARK: - Pixels

  /// All pixels: rows from the top, bands interleaved, 8 bits each.
  func pixels() throws(VipsFailure) -> [UInt8] { try numbers() }

  /// The same of 16 bits each.
  func widePixels() throws(VipsFailure) -> [UInt16] { try numbers() }

  private func numbers<Number: FixedWidthInteger>() throws(VipsFailure) -> [Number] {
    let count = width * height * bands
    let bytes = count * MemoryLayout<Number>.stride
    var failed = false
    let numbers = [Number](unsafeUninitializedCapacity: count) { buffer, initialised in
      // libvips compares the size with that of its own pixels, so numbers of another width are refused.
      failed = cvips_read_pixels(pointer, buffer.baseAddress, bytes) != 0
      initialised = failed ? 0 : count
    }
    if failed { throw .take() }
    return numbers
  }

  /// An sRGB image of 8-bit RGB pixels, which are copied.
  /// - Parameter pixels: `width * height * 3` bytes.
  static func rgb(_ pixels: [UInt8], width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    try image(of: pixels, width: width, height: height, bands: 3)
  }

  /// The same with an opacity for each pixel.
  /// - Parameter opacity: `width * height` bytes.
  static func rgba(
    _ pixels: [UInt8], opacity: [UInt8], width: Int, height: Int
  ) throws(VipsFailure) -> VipsImage {
    guard pixels.count == opacity.count * 3 else {
      throw VipsFailure(reason: "\(opacity.count) opacities do not fit \(pixels.count) bytes of RGB pixels")
    }
    let joined = [UInt8](unsafeUninitializedCapacity: opacity.count * 4) { target, count in
      for index in opacity.indices {
        for band in 0..<3 { target[index * 4 + band] = pixels[index * 3 + band] }
        target[index * 4 + 3] = opacity[index]
      }
      count = opacity.count * 4
    }
    return try image(of: joined, width: width, height: height, bands: 4)
  }

  /// An image of gray levels.
  /// - Parameter levels: `width * height` bytes.
  static func gray(_ levels: [UInt8], width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    try image(of: levels, width: width, height: height, bands: 1)
  }

  private static func image(
    of pixels: [UInt8], width: Int, height: Int, bands: Int
  ) throws(VipsFailure) -> VipsImage {
    guard width > 0, height > 0, pixels.count == width * height * bands else {
      throw VipsFailure(reason: "\(pixels.count) bytes are no \(width) × \(height) pixels of \(bands) bytes")
    }
    return try make(source: nil) { cvips_image_of_pixels(pixels, Int32(width), Int32(height), Int32(bands), $0) }
  }

  /// A file without metadata but the density.
  /// - Parameter quality: 1…100; PNG has none.
  func file(as format: PictureFormat, quality: Int, density: PrintDensity) throws(VipsFailure) -> [UInt8] {
    switch format {
    case .jpeg: return density.added(toJPEG: try jpegFile(quality: quality))
    case .png: return try printed(with: density).file { cvips_save_png($0, $1, $2) }
    case .webp: return try printed(with: density).file { cvips_save_webp($0, Int32(quality), $1, $2) }
    }
  }

  private func printed(with density: PrintDensity) throws(VipsFailure) -> VipsImage {
    try derive { cvips_with_density(pointer, density.across, density.down, $0) }
  }

  /// The ICC profile of sRGB; empty if this libvips has none.
  static func profileOfSRGB() -> [UInt8] {
    let most = 16_384
    return [UInt8](unsafeUninitializedCapacity: most) { buffer, initialised in
      let length = cvips_srgb_profile(buffer.baseAddress, most)
      initialised = length <= most ? length : 0
    }
  }

  /// A JPEG file without metadata.
  func jpegFile(quality: Int) throws(VipsFailure) -> [UInt8] {
    try file { cvips_save_jpeg($0, Int32(quality), $1, $2) }
  }

  /// A PNG file without metadata.
  func pngFile() throws(VipsFailure) -> [UInt8] {
    try file { cvips_save_png($0, $1, $2) }
  }

  private func file(
    _ save: (OpaquePointer, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) -> Int32
  ) throws(VipsFailure) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    guard save(pointer, &bytes, &count) == 0, let bytes else { throw .take() }
    defer { cvips_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
