import JSON

/// Returns what a `generate` or `regenerate` with these params would cost, and whether it would be accepted now.
///
/// Nothing is made, and no credits are held.
public struct CreditsEstimate: RequestMessage {
  public static let method = "credits/estimate"

  public static let errors: [ErrorKind] = [
    .invalidImage, .wrongRecipeInput, .permissionDenied, .fileAccessDenied, .notFound, .templateNotFound, .inputExpired,
    .notFinished, .imageTooLarge, .unsupportedImage, .unsupportedByProvider,
  ]

  /// The request to estimate.
  public enum Subject: Sendable, Equatable {
    case generate(Generate)
    case regenerate(Regenerate)
  }

  /// The request to estimate.
  public var subject: Subject

  public init(_ request: Generate) {
    subject = .generate(request)
  }

  public init(_ request: Regenerate) {
    subject = .regenerate(request)
  }

  enum CodingKeys: CodingKey {
    /// The params of `regenerate`, instead of those of `generate`.
    case regenerate
  }

  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: CodingKeys.self), members.contains(.regenerate) {
      subject = .regenerate(try members.decode(Regenerate.self, forKey: .regenerate))
    } else {
      subject = .generate(try Generate(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch subject {
    case .generate(let request): try request.encode(to: encoder)
    case .regenerate(let request):
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(request, forKey: .regenerate)
    }
  }

  /// The estimate.
  public struct Result: Codable, Sendable, Equatable {
    /// Credits that would be held, and charged if every picture is delivered.
    public var cost: Int
    /// The number of pictures that would be made.
    public var images: Int
    /// The provider that would be asked first.
    public var provider: ProviderID
    /// The account's balance.
    public var balance: CreditBalance
    /// True when the request would be accepted now.
    public var allowed: Bool
    /// The error with which the request would be refused now; absent if it is allowed.
    public var refusal: ErrorBody?

    public init(
      cost: Int, images: Int, provider: ProviderID, balance: CreditBalance, allowed: Bool = true,
      refusal: ErrorBody? = nil
    ) {
      self.cost = cost
      self.images = images
      self.provider = provider
      self.balance = balance
      self.allowed = allowed
      self.refusal = refusal
    }
  }
}
