import Crypto
import Encodings

/// The signature of a request in version 4 of AWS's scheme, which every S3-compatible server checks: of the canonical
/// request, the time and the scope, with a key that is derived from the secret for that day, region and service.
struct RequestSignature: Sendable, Equatable {
  static let algorithm = "AWS4-HMAC-SHA256"

  /// Where and for what a signature is valid, besides its day.
  struct Scope: Sendable, Equatable {
    var region: String
    var service = "s3"
  }

  let stringToSign: String
  /// `Credential`, as the header and the query of a presigned URL have it.
  let credential: String
  let signedHeaders: String
  /// 64 hexadecimal digits.
  let text: String

  /// - Parameter request: has the time among its headers or in its query.
  init(_ request: CanonicalRequest, _ credentials: BucketCredentials, _ scope: Scope, at time: SigningTime) {
    let path = Self.path(scope, at: time)
    let digest = Hexadecimal.text(SHA256.hash(data: Array(request.text.utf8)))
    stringToSign = [Self.algorithm, time.text, path, digest].joined(separator: "\n")
    credential = Self.credential(credentials, scope, at: time)
    signedHeaders = request.signedHeaders
    let key = Self.key(credentials, scope, at: time)
    text = Hexadecimal.text(Self.code(of: stringToSign, key))
  }

  static func credential(_ credentials: BucketCredentials, _ scope: Scope, at time: SigningTime) -> String {
    "\(credentials.accessKey)/\(path(scope, at: time))"
  }

  /// The value of the header `Authorization`.
  var authorization: String {
    "\(Self.algorithm) Credential=\(credential), SignedHeaders=\(signedHeaders), Signature=\(text)"
  }

  private static func path(_ scope: Scope, at time: SigningTime) -> String {
    "\(time.day)/\(scope.region)/\(scope.service)/aws4_request"
  }

  private static func key(_ credentials: BucketCredentials, _ scope: Scope, at time: SigningTime) -> SymmetricKey {
    [time.day, scope.region, scope.service, "aws4_request"].reduce(
      SymmetricKey(data: Array("AWS4\(credentials.secretKey)".utf8))
    ) { key, part in
      SymmetricKey(data: code(of: part, key))
    }
  }

  private static func code(of text: String, _ key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
  }
}

extension CanonicalRequest {
  /// The request with its signature in the headers.
  /// - Parameter credentials: those of the bucket; a session token becomes a signed header.
  func signed(
    _ credentials: BucketCredentials, _ scope: RequestSignature.Scope, at time: SigningTime
  ) -> CanonicalRequest {
    var request = self
    request.headers += [.init("x-amz-date", time.text), .init("x-amz-content-sha256", payload)]
    if let token = credentials.sessionToken { request.headers.append(.init("x-amz-security-token", token)) }
    let signature = RequestSignature(request, credentials, scope, at: time)
    request.headers.append(.init("authorization", signature.authorization))
    return request
  }

  /// The request with its signature in the query, so that whoever has the URL can make it until the time is over. Its
  /// headers are part of the signature, its body is not.
  func presigned(
    _ credentials: BucketCredentials, _ scope: RequestSignature.Scope, at time: SigningTime, forSeconds seconds: Int
  ) -> CanonicalRequest {
    var request = self
    request.payload = Self.unsignedPayload
    request.query += [
      QueryItem("X-Amz-Algorithm", RequestSignature.algorithm),
      QueryItem("X-Amz-Credential", RequestSignature.credential(credentials, scope, at: time)),
      QueryItem("X-Amz-Date", time.text), QueryItem("X-Amz-Expires", String(seconds)),
      QueryItem("X-Amz-SignedHeaders", request.signedHeaders),
    ]
    if let token = credentials.sessionToken { request.query.append(QueryItem("X-Amz-Security-Token", token)) }
    let signature = RequestSignature(request, credentials, scope, at: time)
    request.query.append(QueryItem("X-Amz-Signature", signature.text))
    return request
  }
}
