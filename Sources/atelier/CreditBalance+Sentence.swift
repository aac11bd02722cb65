import AtelierProtocol

extension CreditBalance {
  /// What the account has, for people.
  var sentence: String {
    var parts = ["\((available ?? 0).credits) to spend"]
    if held > 0 { parts.append("\(held) held") }
    if shortfall > 0 { parts.append("\(shortfall) owed for a purchase that was taken back") }
    return "\(account.rawValue) has \(parts.joined(separator: ", "))."
  }
}

extension Int {
  /// So many credits, for people.
  var credits: String { self == 1 ? "1 credit" : "\(self) credits" }
}
