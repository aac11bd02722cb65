import AtelierProtocol
import CurlHTTP

/// The delay that a provider asks for: `45.837906927s`, `26s`, `1h2m3.5s`, `500ms`.
struct RetryDelay: Equatable {
  /// Rounded up, so that no retry comes too early; at most a day.
  let milliseconds: Int

  private static let maximum = 86_400_000

  /// - Returns: nil unless `text` is a duration.
  init?(_ text: String) { self.init(text.utf8[...], whole: true) }

  /// The delay stated in a message, as in "Please retry in 45.57s." or "try again after 51.84 seconds".
  init?(inMessage message: String) {
    let message = message.lowercased()
    for words in ["retry in ", "try again in ", "retry after ", "try again after "] {
      guard let range = message.utf8.firstRange(of: Array(words.utf8)) else { continue }
      self.init(message.utf8[range.upperBound...], whole: false)
      return
    }
    return nil
  }

  /// - Parameter whole: whether nothing may follow the duration. Words of a message may also name its units in full.
  private init?(_ text: Substring.UTF8View, whole: Bool) {
    var rest = text
    var total = 0
    var hasUnit = false
    while let part = Self.part(&rest, units: whole ? Self.units : Self.units + Self.words) {
      total = min(Self.maximum, total + part)
      hasUnit = true
    }
    guard hasUnit, !whole || rest.isEmpty else { return nil }
    milliseconds = total
  }

  private typealias Unit = (name: String, milliseconds: Int)
  private static let units: [Unit] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
  private static let words: [Unit] = [
    ("millisecond", 1), ("second", 1000), ("sec", 1000), ("minute", 60_000), ("min", 60_000), ("hour", 3_600_000),
    ("day", 86_400_000),
  ].flatMap { [(" \($0.0)s", $0.1), (" \($0.0)", $0.1)] }

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

  private static func takeDigits(_ text: inout Substring.UTF8View) -> [Int] {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    text = text.dropFirst(digits.count)
    return digits.map { Int($0) - 0x30 }
  }
}

extension [HTTPHeader] {
  /// The value of the first field with that name.
  /// - Parameter name: in lower case.
  func value(of name: String) -> String? { first { $0.name.lowercased() == name }?.value }

  /// The delay given by a retry header: a number of seconds, or a date.
  var retryDelay: RetryDelay? {
    if let delay = value(of: "retry-after-ms").flatMap({ RetryDelay($0 + "ms") }) { return delay }
    guard let text = value(of: "retry-after") else { return nil }
    if let delay = RetryDelay(text + "s") { return delay }
    guard let until = HTTPDate(text), let now = value(of: "date").flatMap(HTTPDate.init) else { return nil }
    return RetryDelay(from: now.time, to: until.time)
  }
}

extension RetryDelay {
  /// The time between two instants of the server's own clock, so that a wrong local clock does no harm.
  init(from now: Timestamp, to until: Timestamp) {
    milliseconds = Int(Swift.min(Swift.max(0, until.milliseconds - now.milliseconds), Int64(Self.maximum)))
  }
}
