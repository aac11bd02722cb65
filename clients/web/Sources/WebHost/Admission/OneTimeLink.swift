import Crypto
import Encodings
import Synchronization

/// The secret in the link with which the first browser is let in. It is good for one exchange.
final class OneTimeLink: Sendable {
  /// 256 random bits, as they stand in the fragment of the link, which browsers send to no server.
  let secret: String
  private let isUsed = Mutex(false)

  init(random: [UInt8]) { secret = Base64URL.encoded(random) }

  /// Takes the secret that a browser sends.
  /// - Returns: whether it is the right one, for the first time.
  func exchange(_ text: String) -> Bool {
    let isRight = Self.areEqual(Array(text.utf8), Array(secret.utf8))
    return isUsed.withLock { isUsed in
      guard isRight, !isUsed else { return false }
      isUsed = true
      return true
    }
  }

  /// Compares digests, so that the time tells nothing of where two texts differ.
  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    SHA256.hash(data: one) == SHA256.hash(data: other)
  }
}
