/// The user's own words: any language, any script, emoji.
///
/// They always end a prompt, so nothing in them (no quotation mark, tag or line) can pass for their end and a return to
/// the engineered words.
public struct UserWords: Sendable, Equatable {
  /// The text as the user wrote it, lines included, without the white space at both ends.
  public let text: String

  /// - Returns: nil when there is only white space.
  public init?(_ text: String) {
    // By scalars: trimming by characters would also remove a mark that combines with a space.
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return nil }
    self.text = String(scalars[first...last])
  }
}
