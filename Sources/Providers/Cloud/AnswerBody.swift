import AtelierProtocol
import Encodings
import Imaging
import JSON

/// The JSON of an answer, with its images left in the received bytes: as separate strings they would be copied and
/// scanned several times, and they make up nearly the whole answer.
struct AnswerBody: Sendable, Equatable {
  /// The received JSON, with a short placeholder string in place of each image's base64.
  let json: JSONValue
  /// The base64 that was cut out, indexed by the number in the placeholder.
  private let cut: [ArraySlice<UInt8>]

  /// The names of members that hold images, in quotes.
  private static let members = [Array(#""data""#.utf8), Array(#""b64_json""#.utf8)]
  /// The minimum length of a string worth cutting out.
  private static let leastBytes = 256
  /// JSON writers do not begin strings like this; one that does only refers to data of its own answer.
  private static let placeholder = "\u{0}picture "

  /// - Returns: nil for invalid JSON, or too many values.
  init?(_ body: [UInt8], maximumValues: Int) {
    var rest: [UInt8] = []
    var cut: [ArraySlice<UInt8>] = []
    var copied = 0
    // The range of the last string, quotes included; empty before the first one.
    var text = 0..<0
    while let opening = Self.quote(in: body, from: text.upperBound) {
      let isOfPicture = Self.isMember(text, before: opening, in: body)
      let (end, isPlain) = Self.endOfText(in: body, from: opening + 1)
      text = opening..<end
      guard isOfPicture, isPlain, text.count - 2 >= Self.leastBytes else { continue }
      rest += body[copied..<opening]
      rest += #""\u0000picture \#(cut.count)""#.utf8
      cut.append(body[(opening + 1)..<(end - 1)])
      copied = end
    }
    rest += body[copied...]
    guard let json = try? JSONValue(parsing: rest.span, maximumValues: maximumValues) else { return nil }
    self.json = json
    self.cut = cut
  }

  /// The base64 for `value`, a string of ``json`` that is either base64 or a placeholder.
  func base64(_ value: JSONValue?) -> ReceivedBase64 {
    let text = value?.string ?? ""
    return taken(text).map(ReceivedBase64.init) ?? ReceivedBase64(text)
  }

  /// A value of ``json`` as received.
  func restored(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return taken(text).map { .string(ReceivedBase64($0).string) } ?? value
    case .array(let array): return .array(array.map(restored))
    case .object(var object):
      for (key, member) in object { object[key] = restored(member) }
      return .object(object)
    default: return value
    }
  }

  private func taken(_ text: String) -> ArraySlice<UInt8>? {
    guard text.hasPrefix(Self.placeholder), let number = Int(text.dropFirst(Self.placeholder.count)),
      cut.indices.contains(number)
    else { return nil }
    return cut[number]
  }

  // MARK: From text to text
  //
  // The parser later rejects anything that is not valid JSON but is taken for it here: a string is cut out only if it
  // is printable ASCII without escapes, which the parser would accept unchanged.

  private static func quote(in body: [UInt8], from start: Int) -> Int? {
    let bytes = body.span
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { return index }
      index += 1
    }
    return nil
  }

  /// - Returns: the end of the string that begins at `start`, including its quote, and whether it contains only
  ///   printable ASCII.
  private static func endOfText(in body: [UInt8], from start: Int) -> (end: Int, isPlain: Bool) {
    let bytes = body.span
    var index = start
    var isPlain = true
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return (index, isPlain) }
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        index += 1
      } else if byte &- 0x20 >= 0x5f {
        isPlain = false
      }
    }
    return (bytes.count, false)
  }

  /// Whether the string at `name` is the name of an image member whose value begins at `opening`.
  private static func isMember(_ name: Range<Int>, before opening: Int, in body: [UInt8]) -> Bool {
    guard members.contains(where: { body[name].elementsEqual($0) }) else { return false }
    let between = body[name.upperBound..<opening].filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return between == [UInt8(ascii: ":")]
  }
}

/// Base64 as providers send it (RFC 4648, sections 4 and 5): either alphabet, with or without padding, broken into lines,
/// or within a `data:` URL. Anything else is rejected: truncated or corrupted text is not an image.
struct ReceivedBase64: Sendable, Equatable {
  private let text: ArraySlice<UInt8>

  /// - Parameter text: a slice of the received bytes, which is not copied.
  init(_ text: ArraySlice<UInt8>) { self.text = text }

  init(_ text: String) { self.text = Array(text.utf8)[...] }

  var string: String { String(decoding: text, as: UTF8.self) }

  /// The text where it is a link instead, which the colon alone tells from base64.
  var link: String? {
    let scheme = text.drop { Self.isBlank($0) }.prefix(8).map { $0 | 0x20 }
    return ["http://", "https://"].contains { scheme.starts(with: $0.utf8) } ? string.trimmed : nil
  }

  /// - Returns: nil when the text is not base64. Only what is in strict base64 as it stands counts as strict.
  func decoded() -> Base64.Decoded? {
    if let decoded = Base64.decodedLeniently(text.span) { return decoded }
    guard let plain = Self.plain(text), var decoded = Base64.decodedLeniently(plain.span) else { return nil }
    decoded.isStrict = false
    return decoded
  }

  /// The base64 alone: without the beginning of a `data:` URL, and without the blanks that may stand in it.
  /// - Returns: nil for a `data:` URL in another encoding.
  private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let text = text.drop { isBlank($0) }
    guard DataURL.begins(text) else { return text.filter { !isBlank($0) } }
    return DataURL(text).flatMap { $0.isBase64 ? $0.digits : nil }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

/// Why data received as an image cannot be shown.
enum PictureProblem: Error, Equatable {
  case notBase64
  case received(ReceivedPicture.Problem)

  /// For `details.reason`.
  var name: String {
    switch self {
    case .notBase64: "invalid_base64"
    case .received(.notAPicture): "not_a_picture"
    case .received(.unsupported): "unsupported_picture"
    case .received(.incomplete): "incomplete_picture"
    case .received(.tooLarge): "picture_too_large"
    }
  }

  var sentence: String {
    switch self {
    case .notBase64, .received(.incomplete): "The provider's picture arrived incomplete. Please try again."
    case .received(.notAPicture), .received(.unsupported):
      "The provider sent something that is not a picture. Please try again later."
    case .received(.tooLarge): "The provider's picture is too large to be opened safely. Ask for a smaller one."
    }
  }

  /// Decodes and checks an image that was received as text.
  static func check(
    _ text: ReceivedBase64
  ) throws(PictureProblem) -> (picture: ReceivedPicture, decoded: Base64.Decoded) {
    guard let decoded = text.decoded() else { throw .notBase64 }
    do throws(ReceivedPicture.Problem) {
      return (try ReceivedPicture(decoded.bytes), decoded)
    } catch {
      throw .received(error)
    }
  }
}
