import AtelierProtocol

/// Verifies the purchases of one platform, without any network.
///
/// The same proof, account and time always give the same result; nothing is stored.
public protocol PurchaseVerifier: Sendable {
  /// What an operator says of the app: the members of the object that has the platform's name in the configuration.
  associatedtype Configuration: Decodable, Sendable

  /// The name of the platform, which also says of which members its proofs are (``PurchasePlatform/proofMembers``).
  static var platform: PurchasePlatform { get }

  /// - Parameters:
  ///   - configuration: not checked yet.
  ///   - productIDs: the products for sale, by their ids in the shop.
  ///   - readFile: reads a file that the configuration names.
  /// - Throws: ``PurchaseConfigurationFault`` for the first value that cannot be used, or `CancellationError`.
  init(
    _ configuration: Configuration, selling productIDs: Set<String>, readingWith readFile: ConfiguredFileReader
  ) async throws

  /// Verifies `proof`: that the shop signed it, and that it is a purchase of a known product in this app, by `account`.
  /// - Parameters:
  ///   - proof: one of this platform, of strings of at most ``PurchaseProof/maximumBytes``.
  ///   - account: the submitter; the purchase must have been made for this account (``AppAccountToken``).
  ///   - now: the time of verification; no other clock is asked.
  /// - Returns: the purchase; for a revoked one, ``VerifiedPurchase/revokedAt`` is set.
  /// - Throws: ``ReceiptRefusal`` for the first problem.
  func verify(
    _ proof: PurchaseProof, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase
}

/// Reads a file that the configuration names: the whole of it.
/// - Throws: ``ReceiptConfigurationFailure/unreadableFile(reason:)``, or `CancellationError`.
public typealias ConfiguredFileReader = @Sendable (_ path: String) async throws -> [UInt8]

/// A value in a platform's configuration that cannot be used.
public struct PurchaseConfigurationFault: Error, Sendable, Equatable {
  /// The path of the member below the platform, such as `rootCertificates/0`.
  public var member: String
  /// What is wrong with it, phrased to follow the member: "must not be empty."
  public var problem: String

  public init(_ member: String, _ problem: String) {
    (self.member, self.problem) = (member, problem)
  }

  /// The value at `member` was read, and cannot be used.
  init(_ member: String, _ failure: ReceiptConfigurationFailure) {
    self.init(member, "cannot be used: \(failure.sentence)")
  }
}
