import AtelierProtocol
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
