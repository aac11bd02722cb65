import Localization
import PictureFiles

/// Why a decoder could not read a picture, as far as its file and the decoder's words tell.
public enum UnreadableCause: Sendable, Equatable {
  /// The file is truncated, or not as it was written.
  case damaged
  /// The file is whole, and of a kind that decoders leave out, with its article: "a lossless JPEG picture".
  case unsupported(Sentence)
  /// Nothing shows that the file is damaged.
  case unknown

  /// - Parameter decoderSaid: the decoder's messages.
  public init(of bytes: [UInt8], format: ImageFormat, decoderSaid words: String) {
    switch format {
    case .jpeg: self = Self.jpeg(bytes)
    case .png: self = Self.isDamaged(png: bytes) ? .damaged : .unknown
    case .webp: self = Self.isDamaged(webp: bytes) ? .damaged : .unknown
    case .heic, .avif: self = Self.media(bytes)
    }
    if self == .unknown, Self.tellDamage(words) { self = .damaged }
  }

  // MARK: - JPEG

  private static func jpeg(_ bytes: [UInt8]) -> UnreadableCause {
    guard var segments = JPEGSegments(bytes) else { return .damaged }
    var hasScan = false
    while let segment = segments.next() {
      if let kind = unusualKind(segment) { return .unsupported(kind) }
      hasScan = hasScan || segment.isScan
      if segment.isEndOfImage { return hasScan ? .unknown : .damaged }
    }
    return .damaged
  }

  /// The processes of ITU-T T.81, B.1, that decoders leave out, and ITU-T T.87.
  private static func unusualKind(_ segment: JPEGSegments.Segment) -> Sentence? {
    switch segment.marker {
    case 0xc3, 0xcb: return "a lossless JPEG picture"
    case 0xc5...0xc7, 0xcd...0xcf: return "a hierarchical JPEG picture"
    case 0xc9, 0xca: return "a JPEG picture with arithmetic coding"
    case 0xf7: return "a JPEG-LS picture"
    default: break
    }
    guard segment.isFrame, let bits = JPEGFrame(segment.data)?.bitsPerChannel, bits == 12 else { return nil }
    return "a JPEG picture with 12 bits a channel"
  }

  // MARK: - PNG and WebP

  private static func isDamaged(png bytes: [UInt8]) -> Bool {
    guard var chunks = PNGChunks(bytes), let first = chunks.next(), first.isIntact, let header = PNGHeader(first),
      header.width > 0, header.height > 0
    else { return true }
    while let chunk = chunks.next() {
      if !chunk.isIntact { return true }
      if chunk.name == "IEND" { return false }
    }
    return true
  }

  private static func isDamaged(webp bytes: [UInt8]) -> Bool {
    guard var chunks = WebPChunks(bytes) else { return true }
    while !chunks.isAtEnd {
      if chunks.next() == nil { return true }
    }
    return false
  }

  // MARK: - HEIC and AVIF

  private static func media(_ bytes: [UInt8]) -> UnreadableCause {
    var boxes = MediaBoxes(bytes[...])
    var hasFilm = false
    while let box = boxes.next() { hasFilm = hasFilm || box.name == "moov" }
    guard boxes.isAtEnd else { return .damaged }
    guard let media = MediaItems(bytes), let numbers = MediaReduction(bytes)?.parts else {
      return hasFilm ? .unsupported("an animated picture") : .unknown
    }
    let parts = media.items.filter { numbers.contains($0.id) }
    // What a picture is made of has no codec of its own.
    let coded = parts.filter { !["grid", "iovl", "iden", "tmap"].contains($0.type) }
    if let codec = coded.lazy.compactMap({ Self.foreignCodec($0.type) }).first { return .unsupported(codec) }
    return parts.allSatisfy { media.isWhole($0.id, in: bytes.count) } ? .unknown : .damaged
  }

  /// The name of a picture with a codec other than those of HEIC and AVIF; some decoders can read some of them.
  private static func foreignCodec(_ type: String) -> Sentence? {
    switch type {
    case "hvc1", "av01": return nil
    case "unci": return "an HEIF picture without compression"
    case "vvc1": return named("VVC")
    case "j2k1": return named("JPEG 2000")
    case "jpeg": return named("JPEG")
    case "avc1": return named("AVC")
    case "evc1": return named("EVC")
    case "lhv1": return named("L-HEVC")
    default:
      let isName = type.utf8.count == 4 && type.utf8.allSatisfy { (0x30...0x7a).contains($0) }
      return isName ? named(type) : nil
    }
  }

  private static func named(_ codec: String) -> Sentence { "an HEIF picture with the codec \(codec)" }

  // MARK: - Words

  /// Whether decoders say so of a file that ends too early, or whose content contradicts itself.
  private static func tellDamage(_ words: String) -> Bool {
    let signs = [
      "premature end", "corrupt", "truncated", "out of data", "end of data", "outside of file bounds", "not enough",
      "bad huffman", "bogus", "end of file", "incomplete", "checksum", "crc error", "read error", "unexpected end",
    ]
    let lines = words.lowercased().split(separator: "\n")
    return lines.contains { line in signs.contains { line.contains($0) } }
  }
}

extension ImagingError {
  /// The error for a picture that a decoder could not read.
  /// - Parameters:
  ///   - reason: what the decoder said, in one line; nil if it said nothing.
  ///   - format: that of the file.
  public init(_ cause: UnreadableCause, reason: String?, format: ImageFormat) {
    let remedy = format == .heic ? Self.takeJPEG : Self.saveAgain
    switch cause {
    case .damaged:
      self = .unreadable
    case .unsupported(let kind):
      let remedy = format == .heic ? Self.takeJPEG : Self.saveAsUsualJPEG
      let sentence: Sentence = "This is \(kind), which cannot be read here."
      self.init(.unsupportedImage, sentence.followed(by: remedy), details: ["recognisedAs": .string(kind.text)])
    case .unknown:
      let sentence: Sentence =
        reason.map { "The picture could not be read. Its decoder says: “\($0)”." }
        ?? "The picture could not be read, and its decoder does not say why."
      self.init(.invalidImage, sentence.followed(by: remedy))
    }
    if let reason { details["reason"] = .string(reason) }
  }

  private static let saveAsUsualJPEG: Sentence = "Please save it as a usual JPEG, or choose another."
  private static let takeJPEG: Sentence =
    "Please save it as a JPEG. To take photos that every program reads: on an iPhone, choose Settings > Camera > Formats > "
    + "Most Compatible; on other telephones, turn HEIF off in the camera's settings."
}
