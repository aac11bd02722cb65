import AtelierClient
import Crypto
import Encodings

/// What a browser proves with its cookie: for which account it acts, and since when.
struct Session: Sendable, Equatable {
  var account: AccountID
  /// Whether nobody has signed in.
  var isGuest = false
  /// When the cookie was made, in seconds since 1970.
  var issued: Int64
}

/// Makes and checks the cookies of sessions. Nothing of them is kept: a cookie says what it is, and a signature proves it.
struct SessionCookies: Sendable {
  /// How long a cookie is good, in seconds.
  static let lifetime: Int64 = 90 * 86400

  /// The name of the cookie. It carries the port, because browsers share cookies over the ports of a machine.
  let name: String
  private let key: SymmetricKey
  /// Whether browsers send it over TLS only.
  private let isSecure: Bool

  /// - Parameter port: that of the personal way; nil for the public way, where a name has one port.
  init(port: Int?, key: [UInt8], isSecure: Bool) {
    name = "\(isSecure ? "__Host-" : "")atelier\(port.map { "-\($0)" } ?? "")"
    self.key = SymmetricKey(data: key)
    self.isSecure = isSecure
  }

  /// The value of the cookie of a session: account, guest or not, time, and signature.
  func value(of session: Session) -> String {
    let account = Base64URL.encoded(Array(session.account.rawValue.utf8))
    let text = "\(account).\(session.isGuest ? "g" : "s").\(session.issued)"
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    return "\(text).\(Base64URL.encoded(Array(code)))"
  }

  /// The session that the value of a cookie proves at `now`, in seconds since 1970; nil if none.
  func session(_ value: String, now: Int64) -> Session? {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let code = Base64URL.decoded(Array(parts[3].utf8)),
      // Compares in constant time.
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Array("\(parts[0]).\(parts[1]).\(parts[2])".utf8), using: key),
      let account = Base64URL.decoded(Array(parts[0].utf8)).flatMap({ String(validating: $0, as: UTF8.self) }),
      let issued = Int64(parts[2]), issued <= now + 60, now - issued < Self.lifetime
    else { return nil }
    return Session(account: AccountID(rawValue: account), isGuest: parts[1] == "g", issued: issued)
  }

  /// The header that gives a browser the cookie of a session.
  func header(for session: Session) -> String {
    "\(name)=\(value(of: session)); \(attributes); Max-Age=\(Self.lifetime)"
  }

  /// The header that takes the cookie from a browser.
  var removal: String { "\(name)=; \(attributes); Max-Age=0" }

  private var attributes: String { "Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")" }

  /// The session of a `Cookie` header.
  func session(inHeader header: String?, now: Int64) -> Session? {
    // Another one of the name may stand in front of ours.
    for pair in (header ?? "").split(separator: ";") {
      let pair = pair.drop { $0 == " " }
      guard pair.hasPrefix("\(name)=") else { continue }
      if let session = session(String(pair.dropFirst(name.count + 1)), now: now) { return session }
    }
    return nil
  }
}
