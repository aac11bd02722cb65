/// What follows from the code of a refusal, and what the operator can do.
struct RefusalMeaning: Sendable, Equatable {
  let kind: BucketError.Kind
  /// Follows a colon; nil where the kind says enough.
  let cure: String?

  private init(_ kind: BucketError.Kind, _ cure: String? = nil) { (self.kind, self.cure) = (kind, cure) }

  private static let virtual = "put addressing=virtual into the bucket's address"
  private static let path = "put addressing=path into the bucket's address"
  private static let region = "name the bucket's own region in its address, as region="
  private static let endpoint = "name the endpoint of the bucket's region in its address, as endpoint="
  private static let name = "check the bucket's name and, beside it, addressing=path or virtual"
  private static let account = "see at the storage whether the account is disabled or owes money"

  /// The codes of Amazon, MinIO, Ceph, R2, B2, and of Google's, Aliyun's, Tencent's and Huawei's storages that something
  /// follows from. What is not in the table is classified by its status.
  static let all: [String: RefusalMeaning] = [
    // The key.
    "InvalidAccessKeyId": .init(.unknownKey), "InvalidAccessKeyId.Inactive": .init(.unknownKey, "the key is switched off"),
    "InvalidAccessKeyId.NotFound": .init(.unknownKey),
    "InvalidSecurity": .init(.unknownKey, "Google's storage takes HMAC keys only, of its interoperability settings"),
    "SignatureDoesNotMatch": .init(.wrongSignature),
    "ExpiredToken": .init(.expiredCredentials), "InvalidToken": .init(.expiredCredentials),
    "TokenRefreshRequired": .init(.expiredCredentials), "SecurityTokenExpired": .init(.expiredCredentials),
    "InvalidSecurityToken": .init(.expiredCredentials),
    "Unauthorized": .init(.accessDenied), "AccessDenied": .init(.accessDenied), "AccessForbidden": .init(.accessDenied),
    "InvalidObjectState": .init(.archived),
    "AccountProblem": .init(.accessDenied, account), "UserSuspended": .init(.accessDenied, account),
    "UserDisable": .init(.accessDenied, account), "AllAccessDisabled": .init(.accessDenied, account),
    "NotSignedUp": .init(.accessDenied, account),

    // The address.
    "NoSuchBucket": .init(.noSuchBucket, name), "InvalidBucketName": .init(.noSuchBucket, name),
    "SecondLevelDomainForbidden": .init(.elsewhere, virtual), "PathStyleDomainForbidden": .init(.elsewhere, virtual),
    "VirtualHostDomainRequired": .init(.elsewhere, virtual),
    "VirtualHostDomainForbidden": .init(.elsewhere, path),
    "AuthorizationHeaderMalformed": .init(.elsewhere, region), "InvalidRegion": .init(.elsewhere, region),
    "InvalidRegionName": .init(.elsewhere, "\(region); for R2 it is region=auto"),
    "IllegalLocationConstraintException": .init(.elsewhere, region),
    "InvalidLocationConstraint": .init(.elsewhere, region),
    "PermanentRedirect": .init(.elsewhere, endpoint), "TemporaryRedirect": .init(.elsewhere, endpoint),
    "IncorrectEndpoint": .init(.elsewhere, endpoint), "InvalidEndpoint": .init(.elsewhere, endpoint),
    "Redirect": .init(.elsewhere, endpoint),

    // The request.
    "RequestTimeTooSkewed": .init(.clockSkew(aheadBySeconds: nil)),
    "NotImplemented": .init(.unsupported), "MethodNotAllowed": .init(.unsupported),
    "EntityTooLarge": .init(.tooLarge), "BadDigest": .init(.damaged), "InvalidDigest": .init(.damaged),
    "IncompleteBody": .init(.damaged), "XAmzContentSHA256Mismatch": .init(.damaged),

    // The moment.
    "ConditionalRequestConflict": .init(.busy), "OperationAborted": .init(.busy), "InternalError": .init(.busy),
    "RequestTimeout": .init(.busy), "ServiceUnavailable": .init(.busy), "SlowDown": .init(.busy),
    "SlowDownRead": .init(.busy), "SlowDownWrite": .init(.busy), "XMinioServerNotInitialized": .init(.busy),
    "TooManyRequests": .init(.busy), "UploadTrafficRateLimitExceeded": .init(.busy),
    "DownloadTrafficRateLimitExceeded": .init(.busy),
    "QuotaExceeded": .init(.full), "XMinioStorageFull": .init(.full), "XMinioAdminBucketQuotaExceeded": .init(.full),
    "InsufficientStorage": .init(.full), "InsufficientCapacity": .init(.full),
  ]
}
