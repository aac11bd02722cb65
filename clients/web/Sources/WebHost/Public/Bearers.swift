import AtelierClient
import Crypto
import Encodings
import JSON

/// The accounts of apps, which send an identity token with each request instead of a cookie. The service verifies a token
/// once; for a few minutes the host remembers whose it is, by its digest.
actor Bearers {
  private static let memoryMs: Int64 = 300_000
  private static let mostTokens = 10_000

  private var known: [[UInt8]: (account: AccountID, until: Int64)] = [:]

  /// The account of the person that `token` stands for, who is signed in by it.
  /// - Throws: what `account/signIn` refuses.
  func account(of token: String, _ studio: Studio, at now: Timestamp) async throws -> AccountID {
    let digest = Array(SHA256.hash(data: Array(token.utf8)))
    if let entry = known[digest], now.milliseconds < entry.until { return entry.account }
    // A name for the account in case the person is new: the same for each token of the same person.
    let name = "app-\(Hexadecimal.text(SHA256.hash(data: Self.subject(of: token)).prefix(16)))"
    let answer = try await studio.send(
      AccountSignIn(account: AccountID(rawValue: name), identityToken: SecretText(token)))
    if known.count >= Self.mostTokens { known = known.filter { now.milliseconds < $0.value.until } }
    if known.count >= Self.mostTokens { known = [:] }
    let end = min(now.milliseconds + Self.memoryMs, Self.expiry(of: token) ?? .max)
    known[digest] = (answer.account, end)
    return answer.account
  }

  /// Forgets who somebody was, after the account has changed.
  func forget(_ account: AccountID) { known = known.filter { $0.value.account != account } }

  private static func claims(of token: String) -> JSONValue? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64URL.decoded(Array(parts[1].utf8)) else { return nil }
    return try? JSONValue(parsing: bytes)
  }

  /// Issuer and subject as the token says them; the service verifies that it may.
  private static func subject(of token: String) -> [UInt8] {
    let claims = claims(of: token)
    return Array("\(claims?["iss"]?.string ?? "")\n\(claims?["sub"]?.string ?? "")".utf8)
  }

  /// In milliseconds since 1970.
  private static func expiry(of token: String) -> Int64? {
    claims(of: token)?["exp"]?.number.map { Int64(max(0, min($0.double, 1e11)) * 1000) }
  }
}
