import AtelierProtocol
import CurlHTTP
import Glibc
import JSON

/// The delay that a provider asks for: `45.837906927s`, `26s`, `1h2m3.5s`, `500ms`.
struct RetryDelay: Equatable {
  /// Rounded up, so that no retry comes too early; at most a day.
  let milliseconds: Int

  private static let maximum = 86_400_000

  /// - Returns: nil unless `text` is a duration.
  init?(_ text: String) { self.init(text.utf8[...], whole: true) }

  /// The delay stated in a message, as in "Please retry in 45.57s.", "try again after 51.84 seconds" or "60秒后重试".
  init?(inMessage message: String) {
    let text = Array(message.lowercased().utf8)
    for words in Self.announcements {
      for range in text.ranges(of: words) {
        var rest = text[range.upperBound...]
        while let word = Self.approximations.first(where: { rest.starts(with: $0) }) { rest = rest.dropFirst(word.count) }
        let next = String(decoding: rest.prefix(64), as: UTF8.self)
        guard let delay = Self(next.utf8[...], whole: false) ?? Self(clock: next) else { continue }
        self = delay
        return
      }
    }
    for (name, scale) in Self.unitsAhead {
      for range in text.ranges(of: name) {
        let before = text[..<range.lowerBound].reversed().drop { $0 == 0x20 }
        let digits = before.prefix { Self.isDigit($0) }.reversed()
        guard !digits.isEmpty else { continue }
        milliseconds = min(Self.maximum, digits.reduce(0) { min(Self.maximum, $0 * 10 + Int($1 - 0x30)) } * scale)
        return
      }
    }
    return nil
  }

  /// A delay as a clock shows it: `23:53:20`, or `00:45`.
  private init?(clock text: String) {
    let parts = text.prefix { $0 == ":" || $0.isASCII && $0.isNumber }.split(separator: ":").map { Int($0) }
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.map { (0..<100).contains($0) } ?? false }) else { return nil }
    milliseconds = min(Self.maximum, parts.reduce(0) { $0 * 60 + ($1 ?? 0) } * 1000)
  }

  /// The delay that a member of an error states: a number of seconds, a duration, a time, or `{"seconds": 26}`.
  /// - Parameter headers: those of the response, which tell the server's time.
  init?(in members: JSONObject, beside headers: [HTTPHeader]) {
    for (name, unit) in Self.memberNames {
      guard let value = members[name] else { continue }
      let text = value["seconds"]?.statedText ?? value["seconds"]?.number?.text ?? value.number?.text ?? value.statedText
      let inUnit = unit == "s" ? nil : text.flatMap { RetryDelay($0 + unit) }
      guard let delay = inUnit ?? text.flatMap({ headers.delay($0) }) else { continue }
      self = delay
      return
    }
    return nil
  }

  private static let announcements = [
    "retry in ", "try again in ", "retry after ", "try again after ", "retrying in ", "wait for ", "wait ", "reset after ",
    "resets after ", "reset in ", "resets in ", "available in ", "again within ", "replenished in ", "renewed in ",
  ].map { Array($0.utf8) }
  private static let approximations = ["about ", "approximately ", "around ", "at least ", "another ", "~"].map {
    Array($0.utf8)
  }
  /// What stands behind a number of seconds, minutes or hours in languages that announce the delay afterwards.
  private static let unitsAhead = [
    ("秒后", 1000), ("秒後", 1000), ("分钟后", 60_000), ("分鐘後", 60_000), ("小时后", 3_600_000), ("小時後", 3_600_000),
  ].map { (Array($0.0.utf8), $0.1) }
  private static let memberNames = [
    ("retry_after_ms", "ms"), ("retryAfterMs", "ms"), ("retry_after", "s"), ("retryAfter", "s"),
    ("retry_after_seconds", "s"), ("retryAfterSeconds", "s"), ("resets_in_seconds", "s"), ("retryDelay", "s"),
    ("quotaResetDelay", "s"),
  ]

  /// - Parameter whole: whether nothing may follow the duration. Words of a message may also name its units in full.
  private init?(_ text: Substring.UTF8View, whole: Bool) {
    var rest = text
    var total = 0
    var hasUnit = false
    while let part = Self.part(&rest, units: whole ? Self.units : Self.units + Self.words) {
      total = min(Self.maximum, total + part)
      hasUnit = true
      let joint = Self.joints.first { rest.starts(with: $0) && Self.isDigit(rest.dropFirst($0.count).first) }
      if !whole, let next = joint {
        rest = rest.dropFirst(next.count)
      }
    }
    guard hasUnit, !whole || rest.isEmpty else { return nil }
    milliseconds = total
  }

  private typealias Unit = (name: String, milliseconds: Int)
  private static let units: [Unit] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
  private static let words: [Unit] = [
    ("millisecond", 1), ("second", 1000), ("sec", 1000), ("minute", 60_000), ("min", 60_000), ("hour", 3_600_000),
    ("hr", 3_600_000), ("day", 86_400_000), ("d", 86_400_000),
  ].flatMap { [(" \($0.0)s", $0.1), (" \($0.0)", $0.1), ("\($0.0)s", $0.1), ($0.0, $0.1)] }
    + [(" ms", 1), (" s", 1000), (" m", 60_000), (" h", 3_600_000)]
  /// What stands between the parts of a duration in words.
  private static let joints = [" and ", ", ", " "].map { Array($0.utf8) }

  /// Parses a number and its unit, with integer arithmetic, so that no fraction is lost or invented.
  private static func part(_ rest: inout Substring.UTF8View, units: [Unit]) -> Int? {
    var text = rest
    let digits = takeDigits(&text)
    guard !digits.isEmpty else { return nil }
    var fraction: [Int] = []
    if text.first == UInt8(ascii: ".") {
      text = text.dropFirst()
      fraction = takeDigits(&text)
      guard !fraction.isEmpty else { return nil }
    }
    // A unit is not the beginning of another word.
    let unit = units.first { unit in
      guard text.starts(with: unit.name.utf8) else { return false }
      return text.dropFirst(unit.name.utf8.count).first.map { !(0x61...0x7a).contains($0) } ?? true
    }
    guard let (name, scale) = unit else { return nil }
    rest = text.dropFirst(name.utf8.count)
    // Nine digits of a fraction are nanoseconds; further digits are ignored.
    let billionths = (fraction + [Int](repeating: 0, count: 9)).prefix(9).reduce(0) { $0 * 10 + $1 }
    let whole = digits.reduce(0) { min(maximum, $0 * 10 + $1) }
    return min(maximum, whole * scale + (billionths * scale + 999_999_999) / 1_000_000_000)
  }

  private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

  private static func takeDigits(_ text: inout Substring.UTF8View) -> [Int] {
    let digits = text.prefix { isDigit($0) }
    text = text.dropFirst(digits.count)
    return digits.map { Int($0) - 0x30 }
  }
}

extension [HTTPHeader] {
  /// The value of the first field with that name.
  /// - Parameter name: in lower case.
  func value(of name: String) -> String? { first { $0.name.lowercased() == name }?.value }

  /// The delay given by a retry header.
  var retryDelay: RetryDelay? {
    if let delay = value(of: "retry-after-ms").flatMap({ RetryDelay($0 + "ms") }) { return delay }
    return value(of: "retry-after").flatMap { self.delay($0) }
  }

  /// The delay until the limits that are used up start anew, as one header tells of all: `"default";r=0;t=40`, or
  /// `limit=5, remaining=0, reset=40`.
  var rateLimitDelay: RetryDelay? {
    guard let text = value(of: "ratelimit") else { return nil }
    let items = text.split(separator: ",")
    let lists = text.contains(";") ? items.map { $0.split(separator: ";") } : [items]
    let limits: [(isUsedUp: Bool, delay: RetryDelay)] = lists.compactMap { list in
      func parameter(_ names: Set<String>) -> String? {
        let pair = list.map { $0.split(separator: "=", maxSplits: 1).map { String($0).trimmed } }
          .first { $0.count == 2 && names.contains($0[0].lowercased()) }
        return pair?[1]
      }
      guard let delay = parameter(["t", "reset"]).flatMap({ self.delay($0) }) else { return nil }
      return (parameter(["r", "remaining"]).flatMap { Double($0) } == 0, delay)
    }
    let usedUp = limits.filter(\.isUsedUp)
    return (usedUp.isEmpty ? limits : usedUp).map(\.delay).max { $0.milliseconds < $1.milliseconds }
  }

  /// Reads any statement of a delay: a number of seconds, a duration, a date, or the seconds or milliseconds since 1970.
  func delay(_ text: String) -> RetryDelay? {
    if let time = Self.time(sinceEpoch: text) { return delay(until: time) }
    if let delay = RetryDelay(text + "s") ?? RetryDelay(text) { return delay }
    return (HTTPDate(text)?.time ?? Timestamp(text)).flatMap { self.delay(until: $0) }
  }

  /// The time until an instant by the server's own clock, so that a wrong local clock does no harm; by this machine's clock
  /// if the server does not tell its time. What is past by that says nothing.
  private func delay(until time: Timestamp) -> RetryDelay? {
    if let now = value(of: "date").flatMap(HTTPDate.init)?.time { return RetryDelay(from: now, to: time) }
    var clock = timespec()
    clock_gettime(CLOCK_REALTIME, &clock)
    let now = Timestamp(milliseconds: Int64(clock.tv_sec) * 1000 + Int64(clock.tv_nsec) / 1_000_000)
    return time > now ? RetryDelay(from: now, to: time) : nil
  }

  /// The instant that a number stands for: a number that as seconds or milliseconds since 1970 is in this century is no
  /// delay, which would last for decades.
  private static func time(sinceEpoch text: String) -> Timestamp? {
    guard let number = Double(text), number.isFinite else { return nil }
    let century = 1_577_836_800.0..<4_102_444_800.0
    if century.contains(number) { return Timestamp(milliseconds: Int64(number * 1000)) }
    return century.contains(number / 1000) ? Timestamp(milliseconds: Int64(number)) : nil
  }
}

extension RetryDelay {
  /// The time between two instants of the same clock.
  init(from now: Timestamp, to until: Timestamp) {
    milliseconds = Int(Swift.min(Swift.max(0, until.milliseconds - now.milliseconds), Int64(Self.maximum)))
  }
}
