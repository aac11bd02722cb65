import AtelierClient
import Crypto
import Encodings

/// What a browser proves with its cookie: for which account it acts, and since when.
struct Session: Sendable, Equatable {
  var account: AccountID
  /// Whether nobody has signed in.
  var isGuest = false
  /// When the account began that somebody has signed in to: another one may have its name later. Nil for guests, whose
  /// accounts begin with their first use and share no names, and in cookies of hosts that did not write it.
  var since: Timestamp?
  /// When the cookie was made, in seconds since 1970.
  var issued: Int64
}

/// Makes and checks the cookies of sessions. Nothing of them is kept: a cookie says what it is, and a signature proves it.
struct SessionCookies: Sendable {
  /// How long a cookie is good, in seconds.
  static let lifetime: Int64 = 90 * 86400

  /// The name of the cookie. It carries the port, because browsers share cookies over the ports of a machine.
  let name: String
  /// The first one signs, all of them prove.
  private let keys: [SymmetricKey]
  /// Whether browsers send it over TLS only.
  private let isSecure: Bool

  /// - Parameter port: that of the personal way; nil for the public way, where a name has one port.
  init(port: Int?, keys: [[UInt8]], isSecure: Bool) {
    name = "\(isSecure ? "__Host-" : "")atelier\(port.map { "-\($0)" } ?? "")"
    self.keys = keys.map { SymmetricKey(data: $0) }
    self.isSecure = isSecure
  }

  /// The value of the cookie of a session: account, guest or not, time, the account's beginning if it is known, and
  /// signature.
  func value(of session: Session) -> String {
    let account = Base64URL.encoded(Array(session.account.rawValue.utf8))
    let since = session.since.map { ".\($0.milliseconds)" } ?? ""
    let text = "\(account).\(session.isGuest ? "g" : "s").\(session.issued)\(since)"
    let code = keys.first.map { Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: $0)) }
    return "\(text).\(Base64URL.encoded(code ?? []))"
  }

  /// The session that the value of a cookie proves at `now`, in seconds since 1970; nil if none.
  func session(_ value: String, now: Int64) -> Session? {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 || parts.count == 5, let code = Base64URL.decoded(Array(parts[parts.count - 1].utf8)),
      isSigned(parts.dropLast().joined(separator: "."), code),
      let account = Base64URL.decoded(Array(parts[0].utf8)).flatMap({ String(validating: $0, as: UTF8.self) }),
      let issued = Int64(parts[2]), issued <= now + 60, now - issued < Self.lifetime
    else { return nil }
    let since = parts.count == 5 ? Int64(parts[3]).map { Timestamp(milliseconds: $0) } : nil
    return Session(account: AccountID(rawValue: account), isGuest: parts[1] == "g", since: since, issued: issued)
  }

  private func isSigned(_ text: String, _ code: [UInt8]) -> Bool {
    // Compares in constant time.
    keys.contains { HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(text.utf8), using: $0) }
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
