/// The user's own words: any language, any script, emoji (REQUIREMENTS 1.10).
///
/// They always end a prompt. So nothing in them, no quotation mark, tag or line, can be taken for their end and for
/// words of ours again.
public struct UserWords: Sendable, Equatable {
  /// As the user wrote them, lines included, without the white space at both ends.
  public let text: String

  /// - Returns: nil when there is nothing but white space.
  public init?(_ text: String) {
    // By scalars: as a character, a space would take a mark that combines with it along.
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return nil }
    self.text = String(scalars[first...last])
  }
}
