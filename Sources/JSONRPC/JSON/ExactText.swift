/// A string compared by its bytes. Swift's own `==` calls "é" and "e" with a combining accent equal; JSON does not.
struct ExactText: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool { areSame(left.text, right.text) }

  // Texts of equal bytes have equal hashes here, which is all a hash must promise.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  static func areSame(_ left: String, _ right: String) -> Bool {
    left == right && left.utf8.elementsEqual(right.utf8)
  }
}
