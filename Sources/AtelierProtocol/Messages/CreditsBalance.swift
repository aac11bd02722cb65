import JSON

/// What an account has to spend, and from where.
public struct CreditsBalance: RequestMessage {
  public static let method = "credits/balance"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = CreditBalance
}

/// What a `generate` with these params, or a `regenerate`, would cost, and whether it would be accepted now.
///
/// Nothing is made or set aside.
public struct CreditsEstimate: RequestMessage {
  public static let method = "credits/estimate"

  public static let errors: [ErrorKind] = [
    .wrongRecipeInput, .permissionDenied, .notFound, .inputExpired, .notFinished, .unsupportedByProvider,
  ]

  /// What would be asked for.
  public enum Subject: Sendable, Equatable {
    case generate(Generate)
    case regenerate(Regenerate)
  }

  /// What would be asked for.
  public var subject: Subject

  public init(_ request: Generate) {
    subject = .generate(request)
  }

  public init(_ request: Regenerate) {
    subject = .regenerate(request)
  }

  enum CodingKeys: CodingKey {
    /// The params of `regenerate`, in place of those of `generate`.
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

  /// What it would come to.
  public struct Result: Codable, Sendable, Equatable {
    /// Credits that would be set aside, and spent if every picture is delivered; less where a result is reused.
    public var cost: Int
    /// How many pictures would be made.
    public var images: Int
    /// Who would make them: a fallback may cost otherwise.
    public var provider: ProviderID
    /// What the account has to spend.
    public var balance: CreditBalance
    /// True when `generate` would be accepted at this moment.
    public var allowed: Bool
    /// What `generate` would be refused with at this moment; absent when it is allowed.
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

/// What credits can be bought as.
public struct CreditsProducts: RequestMessage, Parameterless {
  public static let method = "credits/products"

  public init() {}

  /// Everything that is sold here.
  public struct Result: Codable, Sendable, Equatable {
    /// In the order in which they are to be shown; none where nothing is sold.
    public var products: [CreditProduct]

    public init(products: [CreditProduct]) {
      self.products = products
    }
  }
}

/// A metered account has more or less to spend than before.
public struct CreditsChanged: NotificationMessage {
  public static let method = "credits/changed"

  /// Whose credits they are.
  public var account: AccountID
  /// Credits that can be spent.
  public var available: Int
  /// Credits set aside for what runs.
  public var held: Int

  public init(account: AccountID, available: Int, held: Int) {
    self.account = account
    self.available = available
    self.held = held
  }
}
