extension Timestamp {
  /// Reads a time as RFC 3339 writes it, in any offset; digits beyond the millisecond are dropped.
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
