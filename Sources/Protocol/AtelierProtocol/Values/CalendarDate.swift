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
