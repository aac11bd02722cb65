/// What a receipt of Apple's must be to be accepted here.
public struct AppleReceiptConfiguration: Sendable, Equatable {
  /// The app's bundle identifier, compared exactly.
  public var bundleID: String
  /// The identifiers of the products that are for sale, compared exactly.
  public var productIDs: Set<String>
  /// The roots that are trusted.
  public var roots: [AppleRootCertificate]
  /// Whether purchases of Apple's sandbox count, as they should while an app is tested. Those of Xcode, which Apple
  /// does not sign, never do.
  public var allowsSandbox: Bool

  /// - Parameters:
  ///   - roots: Apple's own unless told otherwise.
  ///   - allowsSandbox: no, unless told otherwise.
  public init(
    bundleID: String, productIDs: Set<String>, roots: [AppleRootCertificate] = [.appleG3], allowsSandbox: Bool = false
  ) {
    self.bundleID = bundleID
    self.productIDs = productIDs
    self.roots = roots
    self.allowsSandbox = allowsSandbox
  }
}
