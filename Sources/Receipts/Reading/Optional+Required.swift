extension Optional {
  /// The value of a member that every receipt has.
  /// - Throws: `malformed` when it is absent.
  func required() throws(ReceiptRefusal) -> Wrapped {
    guard let self else { throw ReceiptRefusal(.malformed) }
    return self
  }
}
