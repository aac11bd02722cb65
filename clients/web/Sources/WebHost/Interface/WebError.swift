import AtelierClient
import Hummingbird
import JSON

/// Why a request of a browser or an app could not be done, as it is answered.
struct WebError: Error {
  /// The status of HTTP.
  var status: Int
  /// The stable name of the kind: one of the service's, or of the host's own below.
  var kind: String
  /// A sentence for the person.
  var message: String
  var isRetryable = false
  var retryAfterMs: Int?
  var generationId: GenerationID?
  var provider: ProviderID?
  var details: JSONObject = [:]
  /// Whether it is told to the operator, and not to a customer.
  var isForOperator = false
  /// Whether the connection is closed behind the answer, because the rest of the request is not read.
  var closesConnection = false

  init(_ status: Int, _ kind: String, _ message: String) {
    (self.status, self.kind, self.message) = (status, kind, message)
  }

  /// The answer for what the service, or the client in between, has said.
  init(_ error: AtelierError) {
    kind = error.kindName
    message = error.message
    isRetryable = error.isRetryable
    retryAfterMs = error.retryAfterMs
    generationId = error.generationId
    provider = error.provider
    details = error.details
    status = Self.status(of: error)
    // The log of the service is for whoever runs it.
    details["log"] = nil
    if error.clientKind == .connectionLost { self = .serviceLost }
  }

  init(_ failure: JSONDecodingFailure) {
    self.init(400, ClientErrorKind.invalidParams.rawValue, failure.message)
    details = ["path": .string(failure.path), "expected": .string(failure.expected)]
  }

  /// A status that says the same as the code.
  private static func status(of error: AtelierError) -> Int {
    switch error.clientKind {
    case .invalidParams: return 400
    case .invalidRequest: return 413
    case .methodNotFound: return 501
    case .requestCancelled: return 409
    case .connectionLost, .executableNotFound, .startFailed, .protocolError, .invalidUse, .noFile: return 502
    case nil: return (400...599).contains(error.code) ? error.code : 500
    }
  }

  /// The body of the answer.
  func body(at now: Timestamp) -> JSONValue {
    var error: JSONObject = [
      "code": .number(JSONNumber(status)), "kind": .string(kind), "message": .string(message),
      "retryable": .bool(isRetryable),
    ]
    if let retryAfterMs, isRetryable { error["retryAfterMs"] = .number(JSONNumber(retryAfterMs)) }
    if let generationId { error["generationId"] = .string(generationId.rawValue) }
    if let provider { error["provider"] = .string(provider.rawValue) }
    if !details.isEmpty { error["details"] = .object(details) }
    error["timestamp"] = .string(now.text)
    return ["error": .object(error)]
  }

  /// Seconds for the header `Retry-After`, rounded up.
  var retryAfterSeconds: Int? {
    guard isRetryable, let retryAfterMs else { return nil }
    return max(1, (retryAfterMs + 999) / 1000)
  }
}

extension WebError {
  static let notAdmitted = WebError(401, "not_admitted", "Open the link that Atelier has printed when it was started.")
  /// As ``notAdmitted``, of the public way.
  static let signInFirst = WebError(401, "not_admitted", "Please continue as a guest, or sign in.")
  static let linkUsed = WebError(
    401, "link_used", "This link was used already, or is not the newest one. Start Atelier again for a new one.")
  static let originRefused = WebError(403, "origin_refused", "This request comes from another site, which is not allowed.")
  static let hostRefused = WebError(421, "host_refused", "This address is not one of this host.")
  static let notFound = WebError(404, "not_found", "There is nothing at this address.")
  static let methodNotAllowed = WebError(405, "method_not_allowed", "This address does not know this method.")
  static let personalOnly = WebError(403, "permission_denied", "This is not allowed here.")
  static let severalHosts = WebError(400, "invalid_request", "This request has several headers Host.")
  /// Of the report of a payment.
  static let noReference: WebError = {
    WebError(
      JSONDecodingFailure(
        path: "/reference", expected: "the reference that the checkout was given",
        message: "/reference must be the reference that the checkout was given, unchanged."))
  }()
  static let unprovenReference = WebError(
    400, "unknown_reference",
    "No key in the session key file has signed the reference of this report. If a key was taken out, put it back behind "
      + "the others, and report again; otherwise somebody has changed the reference: refund the payment.")
  static let accountDeleted = WebError(
    409, "account_deleted",
    "The account of this checkout was deleted before this was reported. Nothing is granted: refund the payment.")
  static let notJSON = WebError(415, "unsupported_media_type", "The request must be JSON: application/json.")
  static let notAPicture = WebError(415, "unsupported_media_type", "Send the bytes of the photo as they are: image/*.")

  static func tooLarge(_ bytes: Int) -> WebError {
    var error = WebError(413, "body_too_large", "This is larger than the \(bytes) bytes that are taken here.")
    error.details = ["maxBytes": .number(JSONNumber(bytes))]
    error.closesConnection = true
    return error
  }

  static let uploadInterrupted = WebError(400, "upload_interrupted", "The upload was interrupted. Please try again.")

  static let uploadTooSlow: WebError = {
    var error = WebError(408, "upload_too_slow", "The upload took too long. Please try again.")
    error.isRetryable = true
    error.closesConnection = true
    return error
  }()

  static let storageFull = WebError(
    507, ErrorKind.storageFull.rawValue, "The disk is full. Please try again when there is room.")

  static let storageUnavailable: WebError = {
    var error = WebError(
      503, ErrorKind.storageUnavailable.rawValue, "Nothing can be stored at the moment. Please try again later.")
    error.isRetryable = true
    return error
  }()

  static let serviceLost: WebError = {
    var error = WebError(
      502, ClientErrorKind.connectionLost.rawValue, "The image service has stopped and is started again. Please try again.")
    error.isRetryable = true
    error.retryAfterMs = 1000
    return error
  }()
}
