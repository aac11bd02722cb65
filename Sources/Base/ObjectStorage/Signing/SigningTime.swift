import Glibc

/// A moment as signatures name it, to the second in UTC.
public struct SigningTime: Sendable, Equatable {
  /// Without leap seconds; before 1970 and after 9999 there is none.
  public let secondsSince1970: Int

  public init(secondsSince1970: Int) {
    self.secondsSince1970 = min(max(0, secondsSince1970), 253_402_300_799)
  }

  /// `20150830T123600Z`.
  var text: String {
    let parts = parts
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.padded($0, 2) }.joined()
    return "\(day)T\(clock)Z"
  }

  /// `20150830`.
  var day: String {
    let parts = parts
    return Self.padded(parts.tm_year + 1900, 4) + Self.padded(parts.tm_mon + 1, 2) + Self.padded(parts.tm_mday, 2)
  }

  private var parts: tm {
    var seconds = time_t(secondsSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return parts
  }

  private static func padded(_ number: Int32, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension SigningTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The time in the header `Date` of a response: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  /// - Returns: nil for any other form.
  init?(httpDate text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[5] == "GMT", let month = Self.months.firstIndex(of: String(words[2])),
      let day = Self.number(words[1], 2, 1...31), let year = Self.number(words[3], 4, 1970...9999)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = Self.number(clock[0], 2, 0...23), let minute = Self.number(clock[1], 2, 0...59),
      let second = Self.number(clock[2], 2, 0...60)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, Int32(month), day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    self.init(secondsSince1970: timegm(&parts))
  }

  private static func number(_ text: Substring, _ digits: Int, _ range: ClosedRange<Int32>) -> Int32? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int32(text).flatMap { range.contains($0) ? $0 : nil }
  }
}
