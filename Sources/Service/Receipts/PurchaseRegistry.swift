import AtelierProtocol

extension PurchasePlatform {
  /// What verifies the purchases of this platform.
  var verifier: any PurchaseVerifier.Type {
    switch self {
    case .apple: ApplePurchaseVerifier.self
    case .google: GooglePurchaseVerifier.self
    }
  }
}

/// The platforms whose purchases are accepted, each with its verifier.
public struct PurchaseRegistry: Sendable {
  private var verifiers: [PurchasePlatform: any PurchaseVerifier] = [:]

  /// - Parameter verifiers: of several for one platform the last counts; purchases of a platform without any are refused.
  public init(_ verifiers: [any PurchaseVerifier] = []) {
    for verifier in verifiers { self.verifiers[type(of: verifier).platform] = verifier }
  }

  /// The verifier of a platform; nil if its purchases are not accepted.
  public subscript(platform: PurchasePlatform) -> (any PurchaseVerifier)? { verifiers[platform] }

  /// Verifies `proof` as the verifier of its platform does.
  /// - Throws: ``ReceiptRefusal``; `not_configured` if purchases of the platform are not accepted.
  public func verify(
    _ proof: PurchaseProof, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    guard let verifier = self[proof.platform] else { throw ReceiptRefusal(.notConfigured) }
    return try await verifier.verify(proof, for: account, at: now)
  }
}
