import AtelierProtocol
import Encodings
import Imaging
import JSON

/// The JSON of an answer, its pictures left where they are in the bytes that came: as texts of their own they would be
/// copied and looked through several times, and they are nearly all there is.
struct AnswerBody: Sendable, Equatable {
  /// What came; where the base64 of a picture stands, a short text stands in its place.
  let json: JSONValue
  /// What was taken out, by the number in the text that stands in its place.
  private let cut: [ArraySlice<UInt8>]

  /// The members that hold pictures, in quotes.
  private static let members = [Array(#""data""#.utf8), Array(#""b64_json""#.utf8)]
  /// A text as long as that is worth it.
  private static let leastBytes = 256
  /// No writer of JSON begins a text so; one that does is given what it names, which is its own.
  private static let placeholder = "\u{0}picture "

  /// - Returns: nil for what is no JSON, or too much of it.
  init?(_ body: [UInt8], maximumValues: Int) {
    var rest: [UInt8] = []
    var cut: [ArraySlice<UInt8>] = []
    var copied = 0
    // With its quotes; empty before the first.
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

  /// The base64 that `value`, a text of ``json``, is or stands for.
  func base64(_ value: JSONValue?) -> ReceivedBase64 {
    let text = value?.string ?? ""
    return taken(text).map(ReceivedBase64.init) ?? ReceivedBase64(text)
  }

  /// A value of ``json`` as it came.
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
  // What is taken for JSON here and is none is refused by the parser afterwards: of a text, only what the parser would
  // let pass as it is, printable ASCII without escapes, is ever taken out.

  private static func quote(in body: [UInt8], from start: Int) -> Int? {
    let bytes = body.span
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { return index }
      index += 1
    }
    return nil
  }

  /// - Returns: the end of the text that begins at `start`, its quote included, and whether there is nothing in it but
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

  /// Whether the text at `name` is the name of a member for pictures, whose value begins at `opening`.
  private static func isMember(_ name: Range<Int>, before opening: Int, in body: [UInt8]) -> Bool {
    guard members.contains(where: { body[name].elementsEqual($0) }) else { return false }
    let between = body[name.upperBound..<opening].filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return between == [UInt8(ascii: ":")]
  }
}

/// Base64 as providers write it (RFC 4648, sections 4 and 5): either alphabet, with or without padding. Everything else
/// is refused: a text that was cut off or mixed up is no picture.
struct ReceivedBase64: Sendable, Equatable {
  private let text: ArraySlice<UInt8>

  /// - Parameter text: a part of what was received, which is not copied.
  init(_ text: ArraySlice<UInt8>) { self.text = text }

  init(_ text: String) { self.text = Array(text.utf8)[...] }

  var string: String { String(decoding: text, as: UTF8.self) }

  /// - Returns: nil when it is not base64.
  func decoded() -> Base64.Decoded? { Base64.decodedLeniently(text.span) }
}

/// Why what was given as a picture is none that could be shown.
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
      "The provider sent something that is no picture. Please try again later."
    case .received(.tooLarge): "The provider's picture is too large to be opened safely. Ask for a smaller one."
    }
  }

  /// Decodes and looks at a picture that was given as text.
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
