import AtelierProtocol

/// A date of an HTTP field (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate {
  let time: Timestamp

  init?(_ text: String) {
    let parts = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    guard let time = Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z") else { return nil }
    self.time = time
  }
}
