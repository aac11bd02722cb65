/// The type of a file, from its first bytes. File names and extensions are never used.
public enum RecognisedContent: Sendable, Equatable {
  case picture(ImageFormat)
  case empty
  /// A known type that Atelier does not read, with its article: "a GIF picture".
  case other(String)
  case unknown

  /// Examines the first 4096 bytes at most.
  public init(of bytes: some RandomAccessCollection<UInt8>) {
    let head = Array(bytes.prefix(4096))
    if head.isEmpty {
      self = .empty
    } else if let picture = Self.picture(head) {
      self = .picture(picture)
    } else if let name = Self.signatureName(head) ?? Self.riffName(head) ?? Self.textName(head) {
      self = .other(name)
    } else {
      self = .unknown
    }
  }

  private static func picture(_ head: [UInt8]) -> ImageFormat? {
    if head.starts(with: [0xff, 0xd8, 0xff]) { return .jpeg }
    if head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
    if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) { return .webp }
    let brands = brands(head)
    if brands.contains(where: ["avif", "avis"].contains) { return .avif }
    let heic = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]
    return brands.contains(where: heic.contains) ? .heic : nil
  }

  /// The major and the compatible brands of an ISO base media file (ISO/IEC 14496-12, 4.3).
  private static func brands(_ head: [UInt8]) -> [String] {
    guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return [] }
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    // The four bytes after the major brand are a version, not a brand.
    let starts = [8] + stride(from: 16, to: min(size, head.count) - 3, by: 4)
    return starts.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
  }

  private static let signatures: [([UInt8], String)] = [
    (Array("GIF87a".utf8), "a GIF picture"),
    (Array("GIF89a".utf8), "a GIF picture"),
    (Array("%PDF".utf8), "a PDF document"),
    ([0x49, 0x49, 0x2a, 0x00], "a TIFF or camera raw picture"),
    ([0x4d, 0x4d, 0x00, 0x2a], "a TIFF or camera raw picture"),
    ([0x49, 0x49, 0x2b, 0x00], "a TIFF picture"),
    ([0x4d, 0x4d, 0x00, 0x2b], "a TIFF picture"),
    (Array("FUJIFILMCCD-RAW".utf8), "a camera raw picture"),
    (Array("8BPS".utf8), "a Photoshop document"),
    ([0xff, 0x0a], "a JPEG XL picture"),
    ([0x00, 0x00, 0x00, 0x0c, 0x4a, 0x58, 0x4c, 0x20], "a JPEG XL picture"),
    ([0x00, 0x00, 0x00, 0x0c, 0x6a, 0x50, 0x20, 0x20], "a JPEG 2000 picture"),
    ([0xff, 0x4f, 0xff, 0x51], "a JPEG 2000 picture"),
    ([0x00, 0x00, 0x01, 0x00], "an icon"),
    ([0x76, 0x2f, 0x31, 0x01], "an OpenEXR picture"),
    (Array("#?RADIANCE".utf8), "a Radiance picture"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP archive or office document"),
    ([0x1f, 0x8b], "a compressed archive"),
    ([0x7f, 0x45, 0x4c, 0x46], "a program"),
    ([0x1a, 0x45, 0xdf, 0xa3], "a video"),
  ]

  private static func signatureName(_ head: [UInt8]) -> String? {
    if let known = signatures.first(where: { head.starts(with: $0.0) }) { return known.1 }
    // A bitmap's header repeats its own length in a field with few valid values.
    if head.starts(with: Array("BM".utf8)), head.count >= 18, [12, 40, 52, 56, 64, 108, 124].contains(head[14]),
      head[15] == 0, head[16] == 0, head[17] == 0
    {
      return "a BMP picture"
    }
    return head.count >= 12 && head[4..<8].elementsEqual("ftyp".utf8) ? "a video" : nil
  }

  private static func riffName(_ head: [UInt8]) -> String? {
    guard head.count >= 12, head.starts(with: Array("RIFF".utf8)) else { return nil }
    switch String(decoding: head[8..<12], as: UTF8.self) {
    case "AVI ": return "a video"
    case "WAVE": return "a sound"
    default: return nil
    }
  }

  /// The names of text formats: drawings, pages, plain text.
  private static func textName(_ head: [UInt8]) -> String? {
    let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 || $0 == 0x0a || $0 == 0x0c || $0 == 0x0d }
    guard isText else { return nil }
    // Truncation may have split the last character; only that one may be invalid.
    let decoded = String(decoding: head, as: UTF8.self)
    guard !decoded.dropLast(3).unicodeScalars.contains("\u{fffd}") else { return nil }
    let lowercased = decoded.lowercased()
    if lowercased.contains("<svg") { return "an SVG drawing" }
    if lowercased.contains("<!doctype html") || lowercased.contains("<html") { return "a web page" }
    if lowercased.contains("%pdf-") { return "a PDF document" }
    return "a text"
  }
}
