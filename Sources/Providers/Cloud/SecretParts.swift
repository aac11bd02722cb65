import Credentials

/// Recognises a key, or a part of it large enough to matter.
struct SecretParts {
  private let whole: String
  /// Every run of ``length`` bytes of the key.
  private let runs: Set<[UInt8]>
  private static let length = 8

  init(_ key: APIKey) {
    whole = key.text
    runs = Self.runs(of: key.text)
  }

  func occurs(in word: String) -> Bool {
    word.contains(whole) || !runs.isDisjoint(with: Self.runs(of: word))
  }

  private static func runs(of text: String) -> Set<[UInt8]> {
    let bytes = Array(text.utf8)
    guard bytes.count >= length else { return [] }
    return Set((0...bytes.count - length).map { Array(bytes[$0..<$0 + length]) })
  }
}
