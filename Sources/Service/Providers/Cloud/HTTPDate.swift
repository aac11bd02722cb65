import AtelierProtocol

/// A date of an HTTP field in any of its three forms (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
struct HTTPDate {
  let time: Timestamp

  init?(_ text: String) {
    let parts = text.split { " ,-".contains($0) }
    let fields: (day: Substring, month: Substring, year: Substring, clock: Substring)
    switch parts.count {
    case 6 where parts[5] == "GMT": fields = (parts[1], parts[2], parts[3], parts[4])
    case 5: fields = (parts[2], parts[1], parts[4], parts[3])
    default: return nil
    }
    guard let month = Self.months.firstIndex(of: String(fields.month)), let day = Int(fields.day) else { return nil }
    // Of two digits, the century is the one that is nearer.
    let year = fields.year.count == 2 ? "\(fields.year < "70" ? 20 : 19)\(fields.year)" : String(fields.year)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    guard let time = Timestamp("\(year)-\(padded(month + 1))-\(padded(day))T\(fields.clock)Z") else { return nil }
    self.time = time
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
