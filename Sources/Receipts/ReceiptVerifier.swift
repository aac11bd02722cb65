import AtelierProtocol

/// Verifies the receipts of every configured store, without any network (REQUIREMENTS 6.7).
///
/// The same receipt, account and time always give the same answer; nothing is remembered or written.
public struct ReceiptVerifier: Sendable {
  /// The longest receipt that is looked at, in bytes of UTF-8, the signature included. Apple's have about 6,000.
  public static let maximumBytes = 65_536

  /// Nil where no receipts of Apple's are taken.
  public let apple: AppleReceiptVerifier?
  /// Nil where no receipts of Google's are taken.
  public let google: GoogleReceiptVerifier?

  /// - Parameters:
  ///   - apple: what Apple's receipts must be; nil refuses them all as `not_configured`.
  ///   - google: the same for Google's.
  public init(apple: AppleReceiptConfiguration? = nil, google: GoogleReceiptConfiguration? = nil) {
    self.apple = apple.map(AppleReceiptVerifier.init)
    self.google = google.map(GoogleReceiptVerifier.init)
  }

  /// Judges `receipt`.
  /// - Parameters:
  ///   - account: who submits it; it must have been bought for this account (``AppAccountToken``).
  ///   - now: when it is judged; only expiry depends on it.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ receipt: SubmittedReceipt, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    switch receipt {
    case .apple(let transaction):
      guard let apple else { throw ReceiptRefusal(.notConfigured) }
      return try await apple.verify(transaction, for: account, at: now)
    case .google(let purchase, let signature):
      guard let google else { throw ReceiptRefusal(.notConfigured) }
      return try google.verify(purchase, signature: signature, for: account, at: now)
    }
  }
}
