import AtelierProtocol

extension OpenAIFailure {
  /// How long the server wants to be left alone, in milliseconds, at most a day; nil when it does not say.
  var retryDelayMs: Int? {
    namedDelayMs ?? resetDelayMs ?? RetryDelay(inMessage: message)?.milliseconds
  }

  private static let longest = 86_400_000

  /// The header that says it directly.
  private var namedDelayMs: Int? {
    if let delay = header("retry-after-ms").flatMap({ RetryDelay($0 + "ms") }) { return delay.milliseconds }
    guard let text = header("retry-after") else { return nil }
    if let delay = RetryDelay(text + "s") { return delay.milliseconds }
    // By the server's own clock, so that a wrong one here does no harm.
    guard let until = Self.date(text), let now = header("date").flatMap(Self.date) else { return nil }
    return Int(min(max(0, until.milliseconds - now.milliseconds), Int64(Self.longest)))
  }

  /// When what is used up will be there again: requests, tokens, or whichever takes longer.
  private var resetDelayMs: Int? {
    let delays: [(isUsedUp: Bool, milliseconds: Int)] = ["requests", "tokens", "images"].compactMap { name in
      guard let text = header("x-ratelimit-reset-\(name)"), let delay = RetryDelay(text) ?? RetryDelay(text + "s")
      else { return nil }
      return (header("x-ratelimit-remaining-\(name)") == "0", delay.milliseconds)
    }
    let usedUp = delays.filter(\.isUsedUp)
    return (usedUp.isEmpty ? delays : usedUp).map(\.milliseconds).max()
  }

  /// A date as HTTP writes it (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
