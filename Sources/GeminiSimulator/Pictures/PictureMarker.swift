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
