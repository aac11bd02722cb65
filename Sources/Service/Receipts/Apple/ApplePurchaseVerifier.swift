import AtelierProtocol

/// Verifies transactions signed by Apple (`JWSTransaction` of the App Store), without any network.
///
/// Certificates that Apple has revoked are not detected, as that requires its servers.
public struct ApplePurchaseVerifier: PurchaseVerifier {
  public static let platform = PurchasePlatform.apple

  /// An app in the App Store.
  public struct Configuration: Codable, Sendable, Equatable {
    public var bundleId: String
    /// Files of the trusted certificates, in place of Apple's own.
    public var rootCertificates: [String]?
    /// Whether purchases without money are accepted, for tests.
    public var allowSandbox: Bool?
  }

  /// The app's bundle identifier, compared exactly.
  public let bundleID: String
  /// The identifiers of the products for sale, compared exactly.
  public let productIDs: Set<String>
  /// The trusted roots.
  public let roots: [AppleRootCertificate]
  /// Whether purchases of Apple's sandbox are accepted, as they should be while an app is tested. Purchases of Xcode,
  /// which Apple does not sign, are never accepted.
  public let allowsSandbox: Bool

  /// - Parameters:
  ///   - roots: Apple's own by default.
  ///   - allowsSandbox: false by default.
  public init(
    bundleID: String, productIDs: Set<String>, roots: [AppleRootCertificate] = [.appleG3], allowsSandbox: Bool = false
  ) {
    self.bundleID = bundleID
    self.productIDs = productIDs
    self.roots = roots
    self.allowsSandbox = allowsSandbox
  }

  public init(
    _ configuration: Configuration, selling productIDs: Set<String>, readingWith readFile: ConfiguredFileReader
  ) async throws {
    guard !configuration.bundleId.isEmpty else { throw PurchaseConfigurationFault("bundleId", "must not be empty.") }
    self.init(
      bundleID: configuration.bundleId, productIDs: productIDs,
      roots: try await Self.roots(configuration.rootCertificates, readFile) ?? [.appleG3],
      allowsSandbox: configuration.allowSandbox ?? false)
  }

  private static func roots(
    _ paths: [String]?, _ readFile: ConfiguredFileReader
  ) async throws -> [AppleRootCertificate]? {
    guard let paths else { return nil }
    guard !paths.isEmpty else {
      throw PurchaseConfigurationFault("rootCertificates", "must not be empty: leave it out for Apple's own.")
    }
    var roots: [AppleRootCertificate] = []
    for (index, path) in paths.enumerated() {
      do {
        roots.append(try AppleRootCertificate(file: try await readFile(path)))
      } catch let failure as ReceiptConfigurationFailure {
        throw PurchaseConfigurationFault("rootCertificates/\(index)", failure)
      }
    }
    return roots
  }

  /// First the signer is verified, then the content, which is read from exactly the signed bytes.
  public func verify(
    _ proof: PurchaseProof, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    let signed = try AppleSignedTransaction(try proof[.signedTransaction].required().revealed, trusting: roots)
    return try await signed.verified().purchase(in: self, for: account, at: now)
  }
}
