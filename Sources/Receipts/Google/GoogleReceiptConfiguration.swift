/// What a receipt of Google's must be to be accepted here.
public struct GoogleReceiptConfiguration: Sendable {
  /// The app's package name, compared exactly.
  public var packageName: String
  /// The identifiers of the products that are for sale, compared exactly.
  public var productIDs: Set<String>
  /// The key Play signs this app's purchases with.
  public var publicKey: GooglePublicKey

  public init(packageName: String, productIDs: Set<String>, publicKey: GooglePublicKey) {
    self.packageName = packageName
    self.productIDs = productIDs
    self.publicKey = publicKey
  }
}
