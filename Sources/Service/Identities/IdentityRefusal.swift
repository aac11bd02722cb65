import AtelierProtocol
import Localization

/// Why an identity token is refused. The person is told to sign in again, the operator what exactly is wrong; neither is
/// told any part of the token.
enum IdentityRefusal: Sendable, Equatable {
  case tooLong
  /// Not three parts in base64url, of which two are JSON objects without repeated names.
  case malformed
  case wrongAlgorithm
  case criticalExtensions
  case wrongType
  case unknownIssuer
  /// The token's `iss` is a configured one but for the slash at the end: `expected` is as the configuration has it.
  case issuerSlash(expected: String)
  /// `failure` says why the set could not be fetched anew.
  case unknownKey(issuer: String, failure: KeySetFailure?)
  case unnamedKey(issuer: String)
  case unfitKey(issuer: String)
  /// The key is in the set, and cannot be used.
  case unusableKey(issuer: String, UnusableKey)
  case badSignature(issuer: String)
  case wrongAudience(issuer: String)
  case wrongAuthorizedParty(issuer: String)
  case expired
  /// The claim says a time that is still to come.
  case early(claim: String)
  /// The claim is missing, or has another form than OpenID Connect gives it.
  case wrongClaim(String)
  case wrongNonce
  case wrongSubject
  /// The token is of somebody who has not signed in.
  case anonymous
}

extension IdentityRefusal {
  /// The refusal as it is told.
  var error: AtelierError { AtelierError(.invalidIdentity, sentence, hint: hint) }

  /// nil for the sentence of the kind.
  private var sentence: Sentence? {
    self == .expired ? "The sign-in has expired. Please sign in again." : nil
  }

  private var hint: String {
    switch self {
    case .tooLong: "The token is longer than \(IdentityToken.maximumBytes) bytes; it was not read."
    case .malformed: "The token is no JSON Web Token: three parts in base64url, with a header and claims in strict JSON."
    case .wrongAlgorithm: "The token is not signed with RS256 or ES256, the only algorithms that are accepted."
    case .criticalExtensions: "The token's header has “crit”: extensions of tokens are not supported."
    case .wrongType: "The token's header says that it is no identity token: its “typ” is not JWT."
    case .unknownIssuer: "The token's issuer is none of accounts.issuers in the configuration."
    case .issuerSlash(let expected):
      "The token's issuer is “\(expected)” \(expected.hasSuffix("/") ? "without the" : "with a") slash at its end: write "
        + "accounts.issuers in the configuration exactly as the token has it."
    case .unknownKey(let issuer, let failure):
      "The token's key is not in the key set of the issuer “\(issuer)”."
        + (failure.map { " It could not be fetched anew: \($0.sentence)" } ?? "")
    case .unnamedKey(let issuer):
      "The token does not name its key, and the key set of the issuer “\(issuer)” does not have exactly one."
    case .unfitKey(let issuer): "The token's key in the key set of the issuer “\(issuer)” is for another algorithm."
    case .unusableKey(let issuer, let reason):
      "The token's key is in the key set of the issuer “\(issuer)”, but cannot be used: it \(reason.reason)."
    case .badSignature(let issuer): "The token's signature is not that of the issuer “\(issuer)”."
    case .wrongAudience(let issuer): "The token's audience is not among the audiences of the issuer “\(issuer)”."
    case .wrongAuthorizedParty(let issuer):
      "The token has several audiences, and its “azp” is not among the audiences of the issuer “\(issuer)”."
    case .expired: "The token's “exp” is over."
    case .early(let claim): "The token's “\(claim)” is in the future: check the clock of this machine."
    case .wrongClaim(let claim): "The token's “\(claim)” is missing, or not of the form that OpenID Connect gives it."
    case .wrongNonce: "The token's “nonce” is not the one that the request names."
    case .anonymous: "The token has “is_anonymous”: its person has not signed in."
    case .wrongSubject: "The token's “sub” must be \(IdentitySubject.expected)."
    }
  }
}
