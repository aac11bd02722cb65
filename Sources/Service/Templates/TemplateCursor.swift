import AtelierProtocol
import Encodings

/// The position after one hairstyle of a list.
///
/// It contains the last use that was counted when the list began, so that all pages are ordered by the same counts, and
/// the sort position of the hairstyle, so that it stays valid when that one is retired.
public struct TemplateCursor: Sendable, Equatable {
  /// The number of the last use that is counted.
  public let seen: Int64
  let popularity: Int
  let id: String
  let name: String

  init(_ template: Template, seen: Int64) {
    self.seen = seen
    popularity = template.popularity
    id = template.id
    name = template.name
  }

  /// - Parameter text: as written by ``text``.
  /// - Returns: nil for any other text.
  public init?(_ text: String) {
    guard let bytes = Base64.decoded(text) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: ":", maxSplits: 3, omittingEmptySubsequences: false
    ).map(String.init)
    guard parts.count == 4, let seen = Int64(parts[0]), seen >= 0, let popularity = Int(parts[1]) else { return nil }
    self.seen = seen
    self.popularity = popularity
    id = parts[2]
    name = parts[3]
    guard self.text == text else { return nil }
  }

  /// Opaque to clients.
  public var text: String { Base64.encoded(Array("\(seen):\(popularity):\(id):\(name)".utf8)) }

  /// Most used first, then by name.
  func precedes(_ other: TemplateCursor, names: (FoldedText, FoldedText)) -> Bool {
    if popularity != other.popularity { return popularity > other.popularity }
    return names.0 == names.1 ? id < other.id : names.0 < names.1
  }
}
