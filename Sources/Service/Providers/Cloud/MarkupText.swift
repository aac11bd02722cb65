/// The words of a page in HTML or XML, without its tags, styles and programs.
struct MarkupText {
  let text: String

  /// What stands between these tags is not for people.
  private static let hidden = ["script", "style"].map { Array($0.utf8) }

  /// - Returns: nil for what is no page.
  init?(_ body: String) {
    let bytes = Array(body.utf8)
    guard let first = bytes.first(where: { !Self.isBlank($0) }), first == UInt8(ascii: "<") else { return nil }
    var words: [UInt8] = []
    var index = 0
    /// The name of the tag whose end is awaited.
    var awaited: [UInt8]?
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        if awaited == nil { words.append(bytes[index]) }
        index += 1
        continue
      }
      let isClosing = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
      let name = Self.name(in: bytes, at: index + (isClosing ? 2 : 1))
      if let tag = awaited {
        if isClosing, name == tag { awaited = nil }
      } else if !isClosing, Self.hidden.contains(name) {
        awaited = name
      }
      // Within a program, a sign may be no tag at all.
      while index < bytes.count, bytes[index] != UInt8(ascii: ">"), awaited == nil || !name.isEmpty { index += 1 }
      words.append(UInt8(ascii: "\n"))
      index += 1
    }
    text = String(decoding: words, as: UTF8.self)
  }

  /// The letters at the beginning of a tag, in lower case.
  private static func name(in bytes: [UInt8], at start: Int) -> [UInt8] {
    bytes[min(start, bytes.count)...].prefix { isLetter($0 | 0x20) }.map { $0 | 0x20 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
