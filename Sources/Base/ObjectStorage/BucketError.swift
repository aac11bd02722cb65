import CurlHTTP

/// Why a request to a bucket had no success. Contains neither keys nor signatures, and of the server's text only its code:
/// the rest is classified, not repeated.
public struct BucketError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// There is no whole answer.
    case unreachable(HTTPError.Cause)
    /// The server refuses for now: it is overloaded, down, or another request for the same object is in progress.
    case busy
    /// There is no key, or it cannot be read now.
    case noKey
    /// The server does not know the access key.
    case unknownKey
    /// The secret does not belong to the access key, or something on the way alters requests.
    case wrongSignature
    /// The temporary credentials are over.
    case expiredCredentials
    /// The clocks of this machine and the server differ by this much; nil when the server does not say its time.
    case clockSkew(aheadBySeconds: Int?)
    /// The key is right, but not for this.
    case accessDenied
    case noSuchBucket
    /// The object is in an archive, from which somebody must fetch it first.
    case archived
    /// The bucket is in another region, or at another address.
    case elsewhere
    /// What answers is no object storage.
    case noStorage
    /// The object is larger than the caller or the server takes.
    case tooLarge
    /// The body arrived altered, or what arrived is not what it says.
    case damaged
    /// The server has no room, or the account may store no more.
    case full
    /// The server does not know the request.
    case unsupported
    /// The name of an object cannot be sent.
    case badName
    /// An answer that is not understood.
    case unexpected
    /// The task was cancelled.
    case cancelled
  }

  public var kind: Kind
  /// The status of the answer; nil without one.
  public var status: Int?
  /// Whether the request may have had its effect although there is no answer that says so.
  public var mayHaveHappened: Bool
  /// The server's own word for it; nil without one.
  public var code: RefusalCode?
  /// Why no other key can be read than the one that was refused: a sentence for the operator.
  public var keyProblem: String?

  public init(
    _ kind: Kind, status: Int? = nil, mayHaveHappened: Bool = false, code: RefusalCode? = nil, keyProblem: String? = nil
  ) {
    (self.kind, self.status, self.mayHaveHappened) = (kind, status, mayHaveHappened)
    (self.code, self.keyProblem) = (code, keyProblem)
  }

  /// Whether there was no answer in time.
  var isTimeout: Bool {
    if case .unreachable(.timedOut) = kind { return true }
    return false
  }

  /// Whether another key may have success.
  var mayBeOfTheKey: Bool {
    switch kind {
    case .unknownKey, .wrongSignature, .expiredCredentials, .accessDenied: true
    default: false
    }
  }

  /// Whether the same put may have success without a condition.
  var mayBeOfACondition: Bool { kind == .unsupported || (kind == .unexpected && status == 400) }
}

extension BucketError {
  /// How long what is in the way lasts.
  public enum Persistence: Sendable, Equatable {
    /// It may be over in a moment, without anybody's doing.
    case moment
    /// Until somebody mends it, at the storage, on the way or with the key: no other configuration is needed.
    case untilMended
    /// For ever, for this configuration and this object.
    case always
  }

  /// What follows from each kind and status: whether a request is made again at once, and whether what is to be stored
  /// waits.
  public var persistence: Persistence {
    switch kind {
    case .busy: .moment
    case .damaged: status == 400 ? .moment : .untilMended
    case .unreachable(let cause): Self.persistence(cause)
    // A server that moves its objects for a while says so with these.
    case .elsewhere: status == 302 || status == 307 ? .untilMended : .always
    case .noKey, .unknownKey, .wrongSignature, .expiredCredentials, .clockSkew, .accessDenied, .noSuchBucket, .archived,
      .noStorage, .full, .unexpected, .cancelled:
      .untilMended
    case .tooLarge, .unsupported, .badName: .always
    }
  }

  private static func persistence(_ cause: HTTPError.Cause) -> Persistence {
    switch cause {
    case .resolve, .connect, .proxy, .timedOut, .reset, .truncated, .noSocket: .moment
    case .tls, .tooLarge, .malformed, .unusable: .untilMended
    case .badURL, .badHeader: .always
    }
  }

  /// Whether the same request can have success in a moment, without anybody's doing.
  public var isTransient: Bool { persistence == .moment }
}

extension BucketError: CustomStringConvertible {
  /// For the operator: what is wrong, the server's status and code, and the cure if there is one.
  public var description: String {
    let cure = code?.meaning?.cure.map { "\(sentence.dropLast()): \($0)." } ?? sentence
    return keyProblem.map { "\(cure) \($0)" } ?? cure
  }

  private var sentence: String {
    let facts = [status.map { "HTTP \($0)" }, code?.text].compactMap(\.self)
    let number = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
    switch kind {
    case .unreachable(let cause): return "The object storage cannot be reached: \(Self.text(cause))."
    case .busy: return "The object storage is busy\(number)."
    case .noKey: return "There is no key for the object storage."
    case .unknownKey: return "The object storage does not know the access key\(number)."
    case .wrongSignature:
      return "The object storage refuses the signature\(number): the secret key is wrong, or a proxy alters requests."
    case .expiredCredentials: return "The temporary credentials for the object storage have expired\(number)."
    case .clockSkew(let seconds): return Self.text(skew: seconds) + number + ": set this machine's clock."
    case .accessDenied: return "The access key has no permission for this in the bucket\(number)."
    case .noSuchBucket: return "The bucket does not exist\(number)."
    case .archived:
      return "The object is in an archive\(number): restore it there, and let no rule of the bucket move pictures to one."
    case .elsewhere: return "The bucket is in another region or at another endpoint\(number)."
    case .noStorage:
      return "What answers in place of the object storage is none\(number): look for a proxy or a sign-in page on the way, "
        + "and check the endpoint."
    case .tooLarge: return "The object is larger than it may be\(number)."
    case .damaged: return "What was transferred arrived altered\(number)."
    case .full: return "The object storage has no room\(number)."
    case .unsupported: return "The object storage does not support this request\(number)."
    case .badName: return "The name of the object cannot be used."
    case .unexpected: return "The object storage gave an answer that is not understood\(number)."
    case .cancelled: return "The request to the object storage was cancelled."
    }
  }

  private static func text(skew seconds: Int?) -> String {
    guard let seconds, seconds != 0 else { return "The clock of this machine differs too much from the object storage's" }
    return "The clock of this machine is \(seconds.magnitude) seconds \(seconds > 0 ? "ahead of" : "behind") the object "
      + "storage's"
  }

  private static func text(_ cause: HTTPError.Cause) -> String {
    switch cause {
    case .badURL: "its URL cannot be used"
    case .badHeader: "a header cannot be sent"
    case .resolve: "its name has no address"
    case .connect: "no server accepts the connection"
    case .proxy: "the proxy refuses"
    case .tls: "its certificate is not trusted, or TLS fails"
    case .timedOut: "it took too long"
    case .reset: "the connection was lost"
    case .truncated: "the answer ended too early"
    case .tooLarge: "the answer is too large"
    case .malformed: "the answer is not HTTP"
    case .noSocket: "this process can open no more connections"
    case .unusable: "libcurl cannot be used"
    }
  }
}
