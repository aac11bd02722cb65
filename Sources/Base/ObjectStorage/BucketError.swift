import CurlHTTP

/// Why a request to a bucket had no success. Contains neither keys nor signatures, and no text of the server's: what it says
/// is classified, not repeated.
public struct BucketError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// There is no whole answer.
    case unreachable(HTTPError.Cause)
    /// The server refuses for now: it is overloaded, down, or another request for the same object is in progress.
    case busy
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
    /// The bucket is in another region, or at another address.
    case elsewhere
    /// An object of that name is there, and has another size.
    case otherContent
    /// The object is larger than the caller takes.
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

  public init(_ kind: Kind, status: Int? = nil, mayHaveHappened: Bool = false) {
    (self.kind, self.status, self.mayHaveHappened) = (kind, status, mayHaveHappened)
  }

  /// Whether the same request can have success later, without anybody's doing.
  public var isTransient: Bool {
    switch kind {
    case .busy: true
    case .unreachable(let cause): Self.isTransient(cause)
    case .damaged: status == 400
    case .unknownKey, .wrongSignature, .expiredCredentials, .clockSkew, .accessDenied, .noSuchBucket, .elsewhere,
      .otherContent, .tooLarge, .full, .unsupported, .badName, .unexpected, .cancelled:
      false
    }
  }

  private static func isTransient(_ cause: HTTPError.Cause) -> Bool {
    switch cause {
    case .resolve, .connect, .proxy, .timedOut, .reset, .truncated, .noSocket: true
    case .badURL, .badHeader, .tls, .tooLarge, .malformed, .unusable: false
    }
  }
}

extension BucketError: CustomStringConvertible {
  /// One sentence for the operator.
  public var description: String {
    let number = status.map { " (HTTP \($0))" } ?? ""
    switch kind {
    case .unreachable(let cause): return "The object storage cannot be reached: \(Self.text(cause))."
    case .busy: return "The object storage is busy\(number)."
    case .unknownKey: return "The object storage does not know the access key\(number)."
    case .wrongSignature:
      return "The object storage refuses the signature\(number): the secret key is wrong, or a proxy alters requests."
    case .expiredCredentials: return "The temporary credentials for the object storage have expired\(number)."
    case .clockSkew(let seconds): return Self.text(skew: seconds) + number + ": set this machine's clock."
    case .accessDenied: return "The access key has no permission for this in the bucket\(number)."
    case .noSuchBucket: return "The bucket does not exist\(number)."
    case .elsewhere: return "The bucket is in another region or at another endpoint\(number)."
    case .otherContent: return "The bucket has an object of the same name with another size."
    case .tooLarge: return "The object is larger than it may be."
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
