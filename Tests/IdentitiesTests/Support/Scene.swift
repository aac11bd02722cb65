import AtelierProtocol
import CurlHTTP
import Encodings
import JSON
import SimulatedIssuers
import Support

@testable import Identities

/// Two issuers, a server that has their key sets, and a sign-in at the first.
struct Scene: Sendable {
  static let now = Timestamp(milliseconds: 1_795_238_400_000)
  static let audience = "org.example.studio"
  static let subject = "user-1"

  /// Making RSA keys takes time, so that most tests share them.
  private static let issuers = Result {
    (try SimulatedIssuer("https://one.example"), try SimulatedIssuer("https://two.example"))
  }

  var one: SimulatedIssuer
  var two: SimulatedIssuer
  let server = KeyServer()
  let cache = MemoryCache()

  init() async throws {
    (one, two) = try Self.issuers.get()
    try await serve()
  }

  static let oneURL = "https://one.example/keys"
  static let twoURL = "https://two.example/keys"

  /// Publishes the present keys of both issuers.
  func serve() async throws {
    await server.answer(Self.oneURL, try one.keySet())
    await server.answer(Self.twoURL, try two.keySet())
  }

  /// The configured issuers, with the audience of this app.
  static func issuer(_ id: String, keys: KeySetLocation? = nil) -> IdentityIssuer {
    IdentityIssuer(
      id: id, issuer: "https://\(id).example", audiences: [audience, "org.example.web"],
      keys: keys ?? .url("https://\(id).example/keys"))
  }

  /// A verifier that knows nothing yet, as a new process has it.
  func verifier(_ issuers: [IdentityIssuer] = [issuer("one"), issuer("two")]) -> IdentityVerifier {
    IdentityVerifier(issuers, http: server, cache: cache)
  }

  var signIn: SimulatedSignIn { SimulatedSignIn(audience: Self.audience, subject: Self.subject) }

  /// A token of the first issuer, signed after the changes.
  /// - Parameter key: in place of the issuer's.
  func token(
    _ algorithm: SigningKey.Algorithm = .rs256, key: SigningKey? = nil,
    header changeHeader: (inout JSONObject) -> Void = { _ in },
    claims changeClaims: (inout JSONObject) -> Void = { _ in }
  ) throws -> String {
    let key = try key ?? one.key(algorithm)
    var header: JSONObject = ["alg": .string(key.algorithm.rawValue), "kid": .string(key.id), "typ": "JWT"]
    var claims = one.claims(of: signIn, at: Self.now)
    changeHeader(&header)
    changeClaims(&claims)
    return try key.token(
      header: JSONValue.object(header).serialized(), claims: JSONValue.object(claims).serialized())
  }

  static func seconds(_ offset: Int64) -> JSONValue { .number(JSONNumber(now.milliseconds / 1000 + offset)) }
}

extension IdentityVerifier {
  /// Why a token is refused; nil if it is not.
  func refusal(of token: String, nonce: String? = nil, at now: Timestamp = Scene.now) async -> AtelierError? {
    do throws(AtelierError) {
      _ = try await identity(in: token, nonce: nonce, at: now)
      return nil
    } catch {
      return error
    }
  }
}
