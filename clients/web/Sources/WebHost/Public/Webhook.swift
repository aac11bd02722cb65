import Crypto
import Encodings

/// The signature of what a processor of payments reports, as Standard Webhooks has it (standardwebhooks.com, version 1):
/// an HMAC over id, time and body.
enum Webhook {
  /// How far the time of a report may be from ours, in seconds.
  private static let tolerance: Int64 = 300

  /// - Parameters:
  ///   - id: the header `webhook-id`.
  ///   - timestamp: the header `webhook-timestamp`, in seconds since 1970.
  ///   - signatures: the header `webhook-signature`: `v1,` and base64, perhaps several.
  ///   - now: in seconds since 1970.
  /// - Returns: whether the report is the processor's, and of now.
  static func isGenuine(
    _ body: [UInt8], id: String, timestamp: String, signatures: String, secret: [UInt8], now: Int64
  ) -> Bool {
    guard let time = Int64(timestamp), (now - tolerance...now + tolerance).contains(time) else { return false }
    let signed = Array("\(id).\(timestamp).".utf8) + body
    return signatures.split(separator: " ").contains { signature in
      guard signature.hasPrefix("v1,"), let code = Base64.decoded(String(signature.dropFirst(3))) else { return false }
      return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: SymmetricKey(data: secret))
    }
  }
}
