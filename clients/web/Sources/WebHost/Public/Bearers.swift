import AtelierClient
import Crypto
import Encodings
import JSON

/// The accounts of apps, which send an identity token with each request instead of a cookie. The service verifies a token
/// once; for a few minutes the host remembers whose it is, by its digest.
///
/// A token ends with the sign-out that it is sent with, and with the account: those that were issued before an account was
/// deleted do not begin it anew.
actor Bearers {
  private static let memoryMs: Int64 = 300_000
  /// How long is remembered what ended without saying until when it would have been good.
  private static let longestLifeMs: Int64 = 86_400_000
  private static let mostTokens = 10_000

  /// Whom a token stands for.
  enum Bearer: Sendable {
    /// A person who is signed in by it, and whether the service has said so now.
    case person(AccountID, isVerifiedNow: Bool)
    case ended(EndedVisitor)
  }

  /// A token that the service has verified.
  private struct Entry {
    var account: AccountID
    var person: String
    /// Until when the service need not be asked again, and until when the token is good, in milliseconds since 1970.
    var until: Int64
    var expiry: Int64
    var ending: EndedVisitor.Ending?
  }

  private var known: [[UInt8]: Entry] = [:]
  /// When the accounts of people were deleted.
  private var deletions: [String: Int64] = [:]

  /// Whom `token` stands for.
  /// - Parameter signIn: asks the service.
  /// - Throws: `not_admitted` for a token that was issued before the account was deleted; what `account/signIn` refuses.
  func bearer(
    of token: String, at now: Timestamp, signIn: @Sendable (AccountSignIn) async throws -> AccountSignIn.Result
  ) async throws -> Bearer {
    let (digest, claims) = (Self.digest(of: token), TokenClaims(token))
    if let entry = known[digest], now.milliseconds < entry.expiry {
      if let ending = entry.ending { return .ended(EndedVisitor(ending: ending, account: entry.account)) }
      if now.milliseconds < entry.until { return .person(entry.account, isVerifiedNow: false) }
    }
    // Only the service verifies tokens; to refuse this one, it need not.
    if isBeforeDeletion(claims) { throw WebError.signInFirst }
    // A name for the account in case the person is new: the same for each token of the same person.
    let answer = try await signIn(
      AccountSignIn(account: AccountID(rawValue: claims.person), identityToken: SecretText(token)))
    note(token, of: answer.account, at: now)
    return .person(answer.account, isVerifiedNow: true)
  }

  /// Whether a token has ended before its time.
  func hasEnded(_ token: String, at now: Timestamp) -> Bool {
    if let entry = known[Self.digest(of: token)], now.milliseconds < entry.expiry, entry.ending != nil { return true }
    return isBeforeDeletion(TokenClaims(token))
  }

  private func isBeforeDeletion(_ claims: TokenClaims) -> Bool {
    deletions[claims.person].map { claims.issued <= $0 } ?? false
  }

  /// Notes whose a token is, which the service has verified now. One that has ended meanwhile stays so.
  func note(_ token: String, of account: AccountID, at now: Timestamp) {
    forgetOld(now.milliseconds)
    let (digest, claims) = (Self.digest(of: token), TokenClaims(token))
    let expiry = claims.expiry ?? now.milliseconds + Self.longestLifeMs
    known[digest] = Entry(
      account: account, person: claims.person, until: min(now.milliseconds + Self.memoryMs, expiry), expiry: expiry,
      ending: known[digest]?.ending)
  }

  /// Ends a token, because its person has signed out with it.
  func end(_ token: String) {
    let digest = Self.digest(of: token)
    if known[digest]?.ending == nil { known[digest]?.ending = .signOut }
  }

  /// Ends the tokens of an account that was deleted, and all that were issued to its people before now.
  func end(tokensOf account: AccountID, at now: Timestamp) {
    for (digest, entry) in known where entry.account == account {
      known[digest]?.ending = .deletion
      deletions[entry.person] = now.milliseconds
    }
  }

  private func forgetOld(_ now: Int64) {
    deletions = deletions.filter { now < $0.value + Self.longestLifeMs }
    if known.count >= Self.mostTokens { known = known.filter { now < $0.value.expiry } }
    if known.count >= Self.mostTokens { known = known.filter { $0.value.ending != nil } }
    if known.count >= Self.mostTokens { known = [:] }
  }

  private static func digest(of token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}

/// What a token says of itself; the service verifies that it may.
private struct TokenClaims {
  /// A name for whoever it was issued to: of issuer and subject.
  let person: String
  /// In milliseconds since 1970; 0 where it does not say.
  let issued: Int64
  let expiry: Int64?

  init(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    let claims = parts.count == 3 ? Base64URL.decoded(Array(parts[1].utf8)).flatMap { try? JSONValue(parsing: $0) } : nil
    let names = Array("\(claims?["iss"]?.string ?? "")\n\(claims?["sub"]?.string ?? "")".utf8)
    person = "app-\(Hexadecimal.text(SHA256.hash(data: names).prefix(16)))"
    func time(_ claim: String) -> Int64? {
      claims?[claim]?.number.map { Int64(max(0, min($0.double, 1e11)) * 1000) }
    }
    issued = time("iat") ?? 0
    expiry = time("exp")
  }
}
