import AtelierProtocol
import CurlHTTP
import Encodings

/// Verifies identity tokens of OpenID Connect, by the issuers that the operator has configured.
public struct IdentityVerifier: Sendable {
  public let issuers: [IdentityIssuer]
  private let keySets: KeySets

  /// - Parameters:
  ///   - issuers: each with an id and an `issuer` of its own.
  ///   - http: fetches the key sets that have a URL.
  ///   - cache: remembers them.
  public init(_ issuers: [IdentityIssuer], http: any HTTPPerforming, cache: any KeySetCache) {
    self.issuers = issuers
    keySets = KeySets(KeySetReader(http: http), cache: cache)
  }

  /// The identity that `token` proves. Until the signature is verified, its claims only say whose keys to look at.
  /// - Parameters:
  ///   - nonce: what the token must have in `nonce`; nil if the sign-in was begun without one.
  ///   - now: the time of the verification; no other clock is asked.
  /// - Throws: `invalid_identity` with a hint that says what is wrong, and no part of the token; `provider_unavailable`
  ///   when the issuer's keys are not known and cannot be read.
  public func identity(
    in token: String, nonce: String? = nil, at now: Timestamp
  ) async throws(AtelierError) -> Identity {
    let token = try IdentityToken(token)
    let issuer = try issuer(of: token)
    try await verifySignature(of: token, by: issuer, at: now)
    return try IdentityClaims(token.claims).identity(of: issuer, nonce: nonce, at: now)
  }

  private func issuer(of token: IdentityToken) throws(AtelierError) -> IdentityIssuer {
    guard let name = token.claims["iss"]?.string else { throw IdentityRefusal.unknownIssuer.error }
    if let issuer = issuers.first(where: { ExactText.areSame($0.issuer, name) }) { return issuer }
    // The most frequent mistake in a configuration.
    let near = issuers.first { ExactText.areSame("\($0.issuer)/", name) || ExactText.areSame($0.issuer, "\(name)/") }
    throw (near.map { .issuerSlash(expected: $0.issuer) } ?? IdentityRefusal.unknownIssuer).error
  }

  private func verifySignature(
    of token: IdentityToken, by issuer: IdentityIssuer, at now: Timestamp
  ) async throws(AtelierError) {
    var keySet = try await keySets.keySet(of: issuer, at: now)
    if let id = token.keyID, !keySet.has(id) {
      let renewed = try await keySets.renewedKeySet(of: issuer, at: now)
      keySet = renewed.keySet
      guard keySet.has(id) else {
        if let reason = keySet.reasonAgainstKey(namedBy: token) {
          throw IdentityRefusal.unusableKey(issuer: issuer.id, reason).error
        }
        throw IdentityRefusal.unknownKey(issuer: issuer.id, failure: renewed.failure).error
      }
    }
    let named = keySet.keys(namedBy: token)
    guard !named.isEmpty else {
      if let reason = keySet.reasonAgainstKey(namedBy: token) {
        throw IdentityRefusal.unusableKey(issuer: issuer.id, reason).error
      }
      throw IdentityRefusal.unnamedKey(issuer: issuer.id).error
    }
    let fitting = named.filter { $0.algorithm == token.algorithm }
    guard !fitting.isEmpty else { throw IdentityRefusal.unfitKey(issuer: issuer.id).error }
    for key in fitting where await key.hasSigned(token) { return }
    // The issuer may have changed a key and left its id.
    let renewed = try await keySets.renewedKeySet(of: issuer, at: now).keySet
    for key in renewed.keys(namedBy: token) where await key.hasSigned(token) { return }
    throw IdentityRefusal.badSignature(issuer: issuer.id).error
  }

  /// What is wrong with the files of keys of `issuers`, one sentence for each, for the log of a service that starts:
  /// sign-ins are refused until they are right.
  public static func faultsOfFiles(of issuers: [IdentityIssuer]) async -> [String] {
    var faults: [String] = []
    for issuer in issuers {
      guard case .file(let path) = issuer.keys else { continue }
      do throws(KeySetFailure) {
        let keySet = try KeySet(try await KeySetReader.document(inFile: path))
        if keySet.keys.isEmpty {
          let reason = keySet.unusable.first.map { ": the first one \($0.reason.reason)" } ?? ""
          faults.append("The issuer “\(issuer.id)” has no usable key in its key set\(reason).")
        }
      } catch {
        faults.append("The issuer “\(issuer.id)” has no key set. \(error.sentence)")
      }
    }
    return faults
  }
}
