import CurlHTTP

/// The codes of error answers that something follows from. What is not in the list is classified by the status alone.
enum ServerCode: String, CaseIterable {
  case accessDenied = "AccessDenied"
  case authorizationHeaderMalformed = "AuthorizationHeaderMalformed"
  case badDigest = "BadDigest"
  case conditionalRequestConflict = "ConditionalRequestConflict"
  case expiredToken = "ExpiredToken"
  case internalError = "InternalError"
  case invalidAccessKeyId = "InvalidAccessKeyId"
  case invalidDigest = "InvalidDigest"
  case invalidObjectState = "InvalidObjectState"
  case invalidToken = "InvalidToken"
  case noSuchBucket = "NoSuchBucket"
  case noSuchKey = "NoSuchKey"
  case noObjectLock = "ObjectLockConfigurationNotFoundError"
  case notImplemented = "NotImplemented"
  case operationAborted = "OperationAborted"
  case permanentRedirect = "PermanentRedirect"
  case quotaExceeded = "QuotaExceeded"
  case requestTimeout = "RequestTimeout"
  case requestTimeTooSkewed = "RequestTimeTooSkewed"
  case serviceUnavailable = "ServiceUnavailable"
  case signatureDoesNotMatch = "SignatureDoesNotMatch"
  case slowDown = "SlowDown"
  case storageFull = "XMinioStorageFull"
  case temporaryRedirect = "TemporaryRedirect"
  case tokenRefreshRequired = "TokenRefreshRequired"
  case bodyDigestMismatch = "XAmzContentSHA256Mismatch"
}

extension BucketError {
  /// What an answer other than success means.
  /// - Parameter time: when the request was signed.
  init(_ response: HTTPResponse, signedAt time: SigningTime) {
    let code = Self.code(in: response)
    let kind = code.flatMap { Self.kind($0, response, time) } ?? Self.kind(status: response.status)
    // A gateway that gives up does not know what its server did.
    self.init(kind, status: response.status, mayHaveHappened: response.status >= 500)
  }

  static func code(in response: HTTPResponse) -> ServerCode? {
    guard let root = try? XMLElement(parsing: response.body), root.name == "Error" else { return nil }
    return root.child("Code").flatMap { ServerCode(rawValue: $0.text) }
  }

  private static func kind(_ code: ServerCode, _ response: HTTPResponse, _ time: SigningTime) -> Kind? {
    switch code {
    case .accessDenied, .invalidObjectState: .accessDenied
    case .authorizationHeaderMalformed, .permanentRedirect, .temporaryRedirect: .elsewhere
    case .badDigest, .invalidDigest, .bodyDigestMismatch: .damaged
    case .conditionalRequestConflict, .operationAborted, .internalError, .requestTimeout, .serviceUnavailable, .slowDown:
      .busy
    case .expiredToken, .invalidToken, .tokenRefreshRequired: .expiredCredentials
    case .invalidAccessKeyId: .unknownKey
    case .noSuchBucket: .noSuchBucket
    case .notImplemented: .unsupported
    case .quotaExceeded, .storageFull: .full
    case .requestTimeTooSkewed: .clockSkew(aheadBySeconds: skew(response, time))
    case .signatureDoesNotMatch: .wrongSignature
    case .noSuchKey, .noObjectLock: nil
    }
  }

  private static func kind(status: Int) -> Kind {
    switch status {
    case 301, 302, 307, 308: .elsewhere
    case 401, 403: .accessDenied
    case 405, 501: .unsupported
    case 408, 409, 425, 429, 500, 502, 503, 504: .busy
    case 507: .full
    default: .unexpected
    }
  }

  /// By how many seconds this machine is ahead of the server.
  private static func skew(_ response: HTTPResponse, _ time: SigningTime) -> Int? {
    response.header("Date").flatMap { SigningTime(httpDate: $0) }.map { time.secondsSince1970 - $0.secondsSince1970 }
  }
}
