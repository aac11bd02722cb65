import CurlHTTP

/// The server's own word for why it refuses, such as `NoSuchBucket`: short, and never a part of a key.
public struct RefusalCode: Sendable, Hashable {
  public let text: String

  static let noObjectLock = RefusalCode(known: "ObjectLockConfigurationNotFoundError")

  fileprivate init(known text: String) { self.text = text }

  /// - Returns: nil where the answer has none, or what stands in its place is not of the form that codes have.
  init?(in response: HTTPResponse) {
    guard let root = try? XMLElement(parsing: response.body), root.name == "Error", let text = root.child("Code")?.text,
      Self.hasForm(text)
    else { return nil }
    self.text = text
  }

  /// Words one after the other, each with a capital: nothing else of a server's text is told.
  private static func hasForm(_ text: String) -> Bool {
    guard (3...64).contains(text.utf8.count), text.utf8.first.map({ (0x41...0x5a).contains($0) }) == true else {
      return false
    }
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, UInt8(ascii: "."): true
      default: false
      }
    }
    return isPlain && text.utf8.contains { (0x61...0x7a).contains($0) }
  }

  /// What follows from it; nil for one that is not known.
  var meaning: RefusalMeaning? { RefusalMeaning.all[text] }
}

extension BucketError {
  /// What an answer other than success means.
  /// - Parameters:
  ///   - time: when the request was signed.
  ///   - credentials: of the request: a server may repeat them anywhere.
  init(_ response: HTTPResponse, signedAt time: SigningTime, with credentials: BucketCredentials) {
    let code = RefusalCode(in: response).flatMap { credentials.overlap($0.text) ? nil : $0 }
    var kind = code?.meaning?.kind ?? Self.kind(response)
    if case .clockSkew = kind { kind = .clockSkew(aheadBySeconds: Self.skew(response, time)) }
    // A gateway that gives up does not know what its server did.
    self.init(kind, status: response.status, mayHaveHappened: response.status >= 500, code: code)
  }

  /// By the status alone.
  private static func kind(_ response: HTTPResponse) -> Kind {
    switch response.status {
    // Something else answers with success than asked for.
    case 200..<300: .noStorage
    case 301, 302, 307, 308: StorageAnswer.isPlausible(response.body) ? .elsewhere : .noStorage
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
