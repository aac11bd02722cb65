import AtelierProtocol

extension Place {
  /// The whole address on one line, in an order that every country can read.
  public var address: String {
    let town = [postalCode ?? "", city].filter { !$0.isEmpty }.joined(separator: " ")
    return [streetAddress1, streetAddress2 ?? "", town, state ?? "", country ?? ""].filter { !$0.isEmpty }.joined(
      separator: ", ")
  }
}
