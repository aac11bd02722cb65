import AtelierProtocol
import Crypto
import Providers

/// What two requests must share for one result to answer both: the account and everything that decides what the
/// pictures are. Output locations and the form of the answer are left out.
struct ResultKey: Sendable {
  var account: AccountID
  var provider: ProviderID
  /// The named model, else the provider's default.
  var model: String?
  var recipe: Recipe
  var template: String?
  var mode: Generate.OutputMode
  /// The SHA-256 of the photo as the provider receives it.
  var photo: String?
  /// The SHA-256 of each reference picture.
  var references: [String]
  /// The provider request for each picture.
  var pictures: [ImageRequest]

  /// Changes with the fields, so that results stored under another field order are never found.
  private static let version = "3"

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
      digest.add(picture.style?.angle?.value)
      digest.add(picture.style?.background?.text)
      digest.add(picture.variation)
      digest.add(picture.temperature)
      digest.add(picture.seed)
      digest.add(picture.aspectRatio)
      digest.add(picture.size)
      digest.add(picture.format?.rawValue)
      digest.add(picture.quality)
      digest.add(picture.maximumBytes)
      digest.add(picture.crop?.rawValue)
      digest.add(picture.passportSize?.rawValue)
      digest.add(picture.wantsMatte ? "matte" : nil)
    }
    return digest.finalized()
  }
}

/// SHA-256 over a sequence of fields, each preceded by its length, so that no two sequences hash the same bytes: the
/// end of one field cannot pass for the beginning of the next.
struct FieldDigest {
  private var hash = SHA256()

  /// Adds a text; a missing one differs from an empty one.
  mutating func add(_ text: String?) {
    guard let text else { return add(length: .max) }
    let bytes = Array(text.utf8)
    add(length: UInt64(bytes.count))
    hash.update(data: bytes)
  }

  /// Adds several texts; the digest differs from that of the same texts added singly.
  mutating func add(_ texts: [String]) {
    add(length: UInt64(texts.count))
    for text in texts { add(text) }
  }

  /// Adds a number; a missing one differs from all numbers.
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
