import ArgumentParser
import AtelierProtocol
import Glibc

/// A time in the past as a person writes it: a day, a time of day, or how long ago.
struct PastTime: ExpressibleByArgument, Equatable, Sendable {
  private enum Form: Equatable, Sendable {
    case at(Timestamp)
    case ago(milliseconds: Int64)
  }

  private let form: Form

  /// - Parameter argument: `2h`, `3d` or another whole number of minutes, hours, days or weeks; `2026-11-21` or
  ///   `2026-11-21 17:26` in this machine's time zone; or a time in RFC 3339.
  init?(argument: String) {
    if let milliseconds = Self.duration(argument) {
      form = .ago(milliseconds: milliseconds)
    } else if let time = Timestamp(argument) ?? Self.localTime(argument) {
      form = .at(time)
    } else {
      return nil
    }
  }

  /// The point in time, which is not before ``Timestamp/range``.
  func timestamp(at now: Timestamp) -> Timestamp {
    switch form {
    case .at(let time): time
    case .ago(let milliseconds):
      max(Timestamp(milliseconds: now.milliseconds - milliseconds), Timestamp.range.lowerBound)
    }
  }

  private static func duration(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000]
    let digits = text.dropLast()
    guard let unit = text.last.flatMap({ units[$0] }), (1...6).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let count = Int64(digits)
    else { return nil }
    return count * unit
  }

  private static func localTime(_ text: String) -> Timestamp? {
    let form = /(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?/.asciiOnlyDigits()
    guard let match = text.wholeMatch(of: form)?.output,
      let year = Int32(match.1), let month = Int32(match.2), let day = Int32(match.3)
    else { return nil }
    let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
    guard hour < 24, minute < 60, second < 60 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    // Whether it is summer time is for the time zone to say.
    parts.tm_isdst = -1
    let seconds = mktime(&parts)
    // mktime(3) makes another day of the 31st of November; -1 says that it could make nothing of it.
    guard seconds != -1, parts.tm_mday == day, parts.tm_mon == month - 1 else { return nil }
    let time = Timestamp(milliseconds: Int64(seconds).multipliedReportingOverflow(by: 1000).partialValue)
    return Timestamp.range.contains(time) ? time : nil
  }

  private static func number(_ digits: Substring?) -> Int32 { digits.flatMap { Int32($0) } ?? 0 }
}
