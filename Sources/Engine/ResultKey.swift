import AtelierProtocol
import Crypto
import Providers

/// What two requests must have in common for one result to answer both: everything that decides what the pictures are,
/// and whose they are (REQUIREMENTS 1.8). Where they go and how the answer comes is left out.
struct ResultKey: Sendable {
  var account: AccountID
  var provider: ProviderID
  /// The one that was named, else the provider's own choice.
  var model: String?
  var recipe: Recipe
  var template: String?
  var mode: Generate.OutputMode
  /// The SHA-256 of the photo as the provider gets it.
  var photo: String?
  /// The SHA-256 of each picture to go by.
  var references: [String]
  /// What is asked for each picture.
  var pictures: [ImageRequest]

  /// Changes when the fields do, so that what was stored by another order of them is never found.
  private static let version = "1"

  /// 32 bytes.
  var bytes: [UInt8] {
    var digest = FieldDigest()
    for text in [Self.version, account.rawValue, provider.rawValue, model, recipe.rawValue, template, mode.rawValue] {
      digest.add(text)
    }
    digest.add(photo)
    digest.add(references)
    digest.add(length: UInt64(pictures.count))
    for picture in pictures {
      digest.add(picture.prompt)
      digest.add(picture.style?.angle.value)
      digest.add(picture.style?.background.rawValue)
      digest.add(picture.variation)
      digest.add(picture.temperature)
      digest.add(picture.seed)
      digest.add(picture.aspectRatio)
      digest.add(picture.size)
    }
    return digest.finalized()
  }
}

/// SHA-256 over a row of fields, each with its length before it, so that no two rows give the same bytes: what ends one
/// field can never be taken for the beginning of the next.
struct FieldDigest {
  private var hash = SHA256()

  /// Adds a text; one that is missing differs from an empty one.
  mutating func add(_ text: String?) {
    guard let text else { return add(length: .max) }
    let bytes = Array(text.utf8)
    add(length: UInt64(bytes.count))
    hash.update(data: bytes)
  }

  /// Adds several texts, which differ from the same ones added singly.
  mutating func add(_ texts: [String]) {
    add(length: UInt64(texts.count))
    for text in texts { add(text) }
  }

  /// Adds a number; one that is missing differs from all others.
  mutating func add(_ number: (some CustomStringConvertible & Numeric)?) {
    add(number?.description)
  }

  /// Adds the length of what follows, or how many fields follow.
  mutating func add(length: UInt64) {
    hash.update(data: (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
  }

  /// 32 bytes.
  func finalized() -> [UInt8] { Array(hash.finalize()) }
}
