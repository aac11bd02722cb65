/// A string compared and hashed by its bytes. Swift's own `==` treats "é" and "e" with a combining accent as equal;
/// JSON names and identifiers do not, and a sender who can choose names that are equal in this way could make every
/// dictionary lookup slow.
public struct ExactText: Sendable, Hashable, Comparable {
  public let text: String

  public init(_ text: String) { self.text = text }

  public static func == (left: ExactText, right: ExactText) -> Bool { areSame(left.text, right.text) }

  public static func < (left: ExactText, right: ExactText) -> Bool { precedes(left.text, right.text) }

  public func hash(into hasher: inout Hasher) { Self.hash(text, into: &hasher) }

  /// Whether both texts have the same bytes.
  public static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  /// Whether the bytes of `left` come before those of `right`.
  public static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// Hashes the bytes of `text`, followed by a terminator that no text contains.
  public static func hash(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
