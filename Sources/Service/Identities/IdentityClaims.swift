import AtelierProtocol
import Encodings
import JSON

/// What a verified token says, checked by the rules of OpenID Connect (Core 1.0 section 3.1.3.7).
struct IdentityClaims {
  /// How far the clocks of an issuer and of this machine may differ, in milliseconds.
  static let leewayMs: Int64 = 60_000
  /// 9999-12-31T23:59:59Z in seconds; the protocol cannot represent later times.
  private static let latest = 253_402_300_799.0

  private let claims: JSONObject

  /// - Parameter claims: of a token whose signature is verified.
  init(_ claims: JSONObject) { self.claims = claims }

  /// The identity that the token proves.
  /// - Parameters:
  ///   - nonce: what the token must have in `nonce`; nil if that is of no interest.
  ///   - now: the time of the verification.
  /// - Throws: `invalid_identity`.
  func identity(of issuer: IdentityIssuer, nonce: String?, at now: Timestamp) throws(AtelierError) -> Identity {
    try checkAudience(of: issuer)
    try checkTimes(at: now)
    if let nonce {
      guard let own = value("nonce")?.string, ExactText.areSame(own, nonce) else {
        throw IdentityRefusal.wrongNonce.error
      }
    }
    // Supabase signs such tokens for visitors who have not signed in, with the audience of those who have.
    guard value("is_anonymous") != true else { throw IdentityRefusal.anonymous.error }
    guard let subject = value("sub")?.string, IdentitySubject.allows(subject) else {
      throw IdentityRefusal.wrongSubject.error
    }
    return Identity(provider: issuer.id, subject: subject)
  }

  /// With several audiences, the token must say which of them asked for it; with one, `azp` may be another app of the same
  /// owner, as Google has it for apps with a server.
  private func checkAudience(of issuer: IdentityIssuer) throws(AtelierError) {
    func isOurs(_ name: String) -> Bool { issuer.audiences.contains { ExactText.areSame($0, name) } }
    let audiences: [String]
    switch value("aud") {
    case .string(let only): audiences = [only]
    case .array(let several):
      audiences = several.compactMap(\.string)
      guard audiences.count == several.count else { throw IdentityRefusal.wrongClaim("aud").error }
    default: throw IdentityRefusal.wrongClaim("aud").error
    }
    guard audiences.contains(where: isOurs) else { throw IdentityRefusal.wrongAudience(issuer: issuer.id).error }
    if audiences.count > 1 {
      guard let party = value("azp")?.string, isOurs(party) else {
        throw IdentityRefusal.wrongAuthorizedParty(issuer: issuer.id).error
      }
    }
  }

  private func checkTimes(at now: Timestamp) throws(AtelierError) {
    guard let end = try milliseconds("exp") else { throw IdentityRefusal.wrongClaim("exp").error }
    guard now.milliseconds - Self.leewayMs < end else { throw IdentityRefusal.expired.error }
    for claim in ["nbf", "iat"] {
      guard let begin = try milliseconds(claim) else { continue }
      guard begin <= now.milliseconds + Self.leewayMs else { throw IdentityRefusal.early(claim: claim).error }
    }
  }

  /// A time, which tokens state in seconds since 1970, perhaps with a fraction.
  private func milliseconds(_ claim: String) throws(AtelierError) -> Int64? {
    guard let value = value(claim) else { return nil }
    guard let seconds = value.double, (0...Self.latest).contains(seconds) else {
      throw IdentityRefusal.wrongClaim(claim).error
    }
    return Int64(seconds * 1000)
  }

  /// The claim's value; nil when it is absent or null.
  private func value(_ name: String) -> JSONValue? {
    guard let value = claims[name], !value.isNull else { return nil }
    return value
  }
}
