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

/// A day of the proleptic Gregorian calendar.
struct CalendarDate: Equatable {
  var year: Int64
  /// 1…12.
  var month: Int64
  /// 1…31.
  var day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  // Both conversions count in years that begin on 1 March, so that the leap day is the last of its year; 400 such
  // years always have 146,097 days, and 1970-01-01 is day 719,468 since 0000-03-01.
  private static let daysPerCycle: Int64 = 146_097
  private static let epoch: Int64 = 719_468

  init(daysSince1970 days: Int64) {
    let (cycle, dayOfCycle) = (days + Self.epoch).quotientAndRemainder(flooringBy: Self.daysPerCycle)
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let (cycle, yearOfCycle) = (month <= 2 ? year - 1 : year).quotientAndRemainder(flooringBy: 400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * Self.daysPerCycle + dayOfCycle - Self.epoch
  }

  /// `2026-11-21`.
  var text: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }
}

extension CalendarDate {
  /// The same day `months` later, or the last day of that month if it has no such day.
  func adding(months: Int) -> CalendarDate {
    let (years, monthFromZero) = (month - 1 + Int64(months)).quotientAndRemainder(flooringBy: 12)
    let first = CalendarDate(year: year + years, month: monthFromZero + 1, day: 1)
    let next = CalendarDate(
      year: first.month == 12 ? first.year + 1 : first.year, month: first.month == 12 ? 1 : first.month + 1, day: 1)
    let length = next.daysSince1970 - first.daysSince1970
    return CalendarDate(year: first.year, month: first.month, day: min(day, length))
  }
}
