import AtelierClient
import Support
import Testing

@testable import WebHost

@Suite("The cookies of sessions")
struct SessionCookieTests {
  private let cookies = SessionCookies(port: 8080, keys: [[UInt8](repeating: 7, count: 32)], isSecure: false)
  private let now: Int64 = 1_795_000_000

  private func header(_ session: Session) -> String { "\(cookies.name)=\(cookies.value(of: session))" }

  @Test("a cookie proves the session that it was made for, among other cookies", arguments: [
    Session(account: "owner", issued: 1_795_000_000), Session(account: "guest-1", isGuest: true, issued: 1_794_999_000),
    Session(account: "a.b=c;d é", issued: 1_795_000_000),
    Session(account: "anna", since: Timestamp(milliseconds: 1_794_000_000_001), issued: 1_795_000_000),
  ])
  func roundTrip(session: Session) {
    #expect(cookies.session(inHeader: "other=1; \(header(session)); last=2", now: now) == session)
    #expect(cookies.session(inHeader: nil, now: now) == nil)
    #expect(cookies.session(inHeader: "x\(header(session))", now: now) == nil)
  }

  @Test("a cookie with another byte anywhere proves nothing, whatever the byte", arguments: 0..<40 as Range<UInt64>)
  func alteration(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let session = Session(account: "anna", isGuest: true, issued: now)
    var bytes = Array(cookies.value(of: session).utf8)
    let position = Int.random(in: 0..<bytes.count, using: &random)
    let before = bytes[position]
    bytes[position] = UInt8.random(in: 33...126, using: &random)
    let altered = String(decoding: bytes, as: UTF8.self)
    let proven = cookies.session(altered, now: now)
    // The last digit of base64 has bits that say nothing.
    #expect(bytes[position] == before || proven == nil || position == bytes.count - 1, "seed \(seed): \(altered)")
  }

  @Test("a cookie of another key, of the far future, or past its time proves nothing")
  func limits() {
    let other = SessionCookies(port: 8080, keys: [[UInt8](repeating: 8, count: 32)], isSecure: false)
    let session = Session(account: "anna", issued: now)
    #expect(other.session(cookies.value(of: session), now: now) == nil)
    #expect(cookies.session(cookies.value(of: session), now: now + SessionCookies.lifetime - 1) == session)
    #expect(cookies.session(cookies.value(of: session), now: now + SessionCookies.lifetime) == nil)
    #expect(cookies.session(cookies.value(of: session), now: now - 60) == session)
    #expect(cookies.session(cookies.value(of: session), now: now - 61) == nil)
    for text in ["", ".", "...", "a.b.c.d", "YQ.s.99999999999999999999.AA"] {
      #expect(cookies.session(text, now: now) == nil, "\(text)")
    }
  }

  @Test("a cookie is signed with the first key, and proven by any")
  func rotation() {
    let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    func cookies(_ keys: [[UInt8]]) -> SessionCookies { SessionCookies(port: nil, keys: keys, isSecure: true) }
    let session = Session(account: "anna", issued: now)
    let (before, after) = (cookies([old]).value(of: session), cookies([new, old]).value(of: session))
    #expect(cookies([new, old]).session(before, now: now) == session && cookies([new]).session(after, now: now) == session)
    #expect(cookies([new]).session(before, now: now) == nil && cookies([old]).session(after, now: now) == nil)
    #expect(cookies([]).session(cookies([]).value(of: session), now: now) == nil)
  }

  @Test("the header keeps a cookie from scripts and other sites, and behind TLS from plain HTTP")
  func attributes() {
    let session = Session(account: "anna", issued: now)
    let header = cookies.header(for: session)
    #expect(header.hasPrefix("atelier-8080=") && header.contains("; HttpOnly; SameSite=Strict;"))
    #expect(!header.contains("Secure") && cookies.removal.hasSuffix("Max-Age=0"))
    let secure = SessionCookies(port: nil, keys: [[1]], isSecure: true)
    #expect(secure.header(for: session).hasPrefix("__Host-atelier="))
    #expect(secure.header(for: session).contains("; Secure; ") && secure.removal.contains("; Secure;"))
  }
}

@Suite("Whose an account is")
struct StandingTests {
  private static let began = Timestamp(milliseconds: 1_794_000_000_500)

  @Test("a session is good for the account that it began in, and not for a later one of that name", arguments: [
    (Session(account: "app-1", since: began, issued: 1_794_000_000), true),
    (Session(account: "app-1", since: Timestamp(milliseconds: 1_794_000_000_499), issued: 1_795_000_000), false),
    (Session(account: "app-1", since: Timestamp(milliseconds: 1_794_000_000_501), issued: 1_795_000_000), false),
    // Of a host that did not write when the account began.
    (Session(account: "app-1", issued: 1_794_000_000), true), (Session(account: "app-1", issued: 1_793_999_999), false),
    (nil, true),
  ] as [(Session?, Bool)])
  func sessions(session: Session?, isGood: Bool) {
    #expect(Standings.Standing(isGuest: false, since: Self.began).isOf(session) == isGood)
    #expect(!Standings.Standing(isGuest: true, since: Self.began).isOf(session))
    // Another account acts for it, and has begun at another time.
    #expect(Standings.Standing(isGuest: false, since: nil).isOf(session))
  }
}

@Suite("The link for the first browser")
struct OneTimeLinkTests {
  @Test("a secret is good once, and another one never")
  func once() {
    let link = OneTimeLink(random: [UInt8](repeating: 3, count: 32))
    #expect(link.secret.utf8.count == 43)
    #expect(!link.exchange("") && !link.exchange(link.secret + "A") && !link.exchange(String(link.secret.dropLast())))
    #expect(link.exchange(link.secret))
    #expect(!link.exchange(link.secret))
  }

  @Test("a secret that many exchange at the same time lets one in")
  func race() async {
    let link = OneTimeLink(random: [UInt8](repeating: 4, count: 32))
    let admitted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { link.exchange(link.secret) } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(admitted == 1)
  }
}
