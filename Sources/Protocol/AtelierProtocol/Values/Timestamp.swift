import JSON

/// A point in time with milliseconds, in the form of RFC 3339: `2026-11-21T05:26:00.123Z`.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  /// The times that can be sent: the years 0000 to 9999.
  public static let range = Timestamp(milliseconds: earliest)...Timestamp(milliseconds: latest)

  /// The nearest time in ``range``. All calculations start from it, so that no number from a file or a peer can
  /// overflow.
  private var clamped: Int64 { min(max(milliseconds, Self.earliest), Self.latest) }

  /// The time in RFC 3339, with three digits of fraction. Years beyond 0000–9999 become the nearest of those.
  public var text: String {
    let (days, time) = clamped.quotientAndRemainder(flooringBy: Self.millisecondsPerDay)
    let date = CalendarDate(daysSince1970: days)
    let (hours, minutes, seconds) = (time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60)
    let clock = "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(seconds, 2)).\(padded(time % 1_000, 3))"
    return "\(date.text)T\(clock)Z"
  }

  /// The calendar month in UTC: `2026-11`.
  public var month: String { String(text.prefix(7)) }

  /// The day in UTC: `2026-11-21`.
  public var date: String { String(text.prefix(10)) }

  /// The day in UTC, counted from 1970-01-01.
  public var day: Int64 { clamped.quotientAndRemainder(flooringBy: Self.millisecondsPerDay).quotient }

  /// The beginning of a day in UTC, counted from 1970-01-01; of the nearest one that ``range`` has.
  public init(day: Int64) {
    let days = Self.earliest / Self.millisecondsPerDay...Self.latest / Self.millisecondsPerDay
    self.init(milliseconds: min(max(day, days.lowerBound), days.upperBound) * Self.millisecondsPerDay)
  }

  /// The same time of day `months` later in UTC; the last day of the month if it has no such day.
  public func adding(months: Int) -> Timestamp {
    let (days, time) = clamped.quotientAndRemainder(flooringBy: Self.millisecondsPerDay)
    let date = CalendarDate(daysSince1970: days).adding(months: min(max(months, -240_000), 240_000))
    return Timestamp(milliseconds: date.daysSince1970 * Self.millisecondsPerDay + time)
  }

  /// Midnight in UTC at the end of this day.
  public var endOfDay: Timestamp {
    let (days, _) = clamped.quotientAndRemainder(flooringBy: Self.millisecondsPerDay)
    return Timestamp(milliseconds: (days + 1) * Self.millisecondsPerDay)
  }

  static let millisecondsPerDay: Int64 = 86_400_000
  /// 0000-01-01T00:00:00.000Z.
  private static let earliest = CalendarDate(year: 0, month: 1, day: 1).daysSince1970 * millisecondsPerDay
  /// 9999-12-31T23:59:59.999Z.
  private static let latest = (CalendarDate(year: 9999, month: 12, day: 31).daysSince1970 + 1) * millisecondsPerDay - 1
}

extension Timestamp: CustomStringConvertible {
  public var description: String { text }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self), let timestamp = Timestamp(text) else {
      throw JSONExpectation("a time such as 2026-11-21T05:26:00.123Z (RFC 3339)")
    }
    self = timestamp
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// `number` with leading zeros.
func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Int64 {
  /// Quotient and remainder, with a remainder that is never negative.
  func quotientAndRemainder(flooringBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Timestamp {
  /// Reads a time in RFC 3339, with any offset; digits beyond the millisecond are dropped.
  /// - Returns: nil for any other text, a day that does not exist, or a leap second.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2), reader.take("T") || reader.take("t"),
      let hour = reader.number(digits: 2), reader.take(":"), let minute = reader.number(digits: 2), reader.take(":"),
      let second = reader.number(digits: 2), hour < 24, minute < 60, second < 60,
      let fraction = reader.fraction(), let offset = reader.offsetMinutes(), reader.isAtEnd
    else { return nil }
    let date = CalendarDate(year: year, month: month, day: day)
    guard CalendarDate(daysSince1970: date.daysSince1970) == date else { return nil }
    let minutes = (date.daysSince1970 * 24 + hour) * 60 + minute - offset
    milliseconds = (minutes * 60 + second) * 1_000 + fraction
  }
}

/// Reads the parts of a time from its text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int64? {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    rest.removeFirst()
    return Int64(first) - 0x30
  }

  mutating func number(digits: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// The milliseconds after the point; 0 where there is no point.
  mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    guard var milliseconds = digit() else { return nil }
    var digits = 1
    while let digit = digit() {
      if digits < 3 { milliseconds = milliseconds * 10 + digit }
      digits += 1
    }
    for _ in 0..<max(0, 3 - digits) { milliseconds *= 10 }
    return milliseconds
  }

  /// Minutes ahead of UTC.
  mutating func offsetMinutes() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hours = number(digits: 2), take(":"), let minutes = number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isAhead ? 1 : -1)
  }
}
