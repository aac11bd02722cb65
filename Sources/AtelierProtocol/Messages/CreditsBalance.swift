import JSON

/// `credits/balance`: what an account has to spend, and from where.
public struct CreditsBalance: RequestMessage {
  public static let method = "credits/balance"

  /// Whose. Default: the account of `initialize`, else `owner`.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = CreditBalance
}

extension CreditsBalance: SchemaDescribed {
  public static let summary = "What an account has to spend, and from where."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else `owner`."
  ]
}

/// `credits/estimate`: what a `generate` or `regenerate` would cost, and whether it would be accepted now.
///
/// Nothing is made or set aside. The params are those of `generate`, exactly: what a host is about to send; or those of
/// `regenerate` under that name.
public struct CreditsEstimate: RequestMessage {
  public static let method = "credits/estimate"

  /// What would be asked for.
  public enum Subject: Sendable, Equatable {
    case generate(Generate)
    case regenerate(Regenerate)
  }

  public var subject: Subject

  public init(_ request: Generate) {
    subject = .generate(request)
  }

  public init(_ request: Regenerate) {
    subject = .regenerate(request)
  }

  private enum CodingKeys: CodingKey { case regenerate }

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

extension CreditsEstimate: SchemaDescribed {
  public static let summary =
    "What a `generate` with these params, or a `regenerate`, would cost, and whether it would be accepted now. "
    + "Nothing is made or set aside."
}

extension CreditsEstimate: SchemaProviding {
  public static var placeholder: CreditsEstimate { CreditsEstimate(Generate(recipe: .headshot)) }

  /// Says "as `generate`" and "as `regenerate`" instead of saying all of it again.
  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    let regenerate = JSONValue.object(builder.schema(of: Regenerate.self))
    let other: JSONObject = [
      "type": "object", "properties": ["regenerate": regenerate, "_meta": [:]], "required": ["regenerate"],
      "additionalProperties": false,
    ]
    return [
      "description": "The params of `generate`, or those of `regenerate` under that name.",
      "properties": ["regenerate": regenerate],
      "oneOf": [.object(builder.schema(of: Generate.self)), .object(other)],
    ]
  }
}

extension CreditsEstimate.Result: SchemaDescribed {
  public static let summary = "What it would come to."

  public static let members = [
    "cost": "Credits that would be set aside, and spent if every picture is delivered; less where a result is reused.",
    "images": "How many pictures would be made.",
    "provider": "Who would make them: a fallback may cost otherwise.",
    "allowed": "True when `generate` would be accepted at this moment.",
    "refusal": "What `generate` would be refused with at this moment; absent when it is allowed.",
  ]
}

/// `credits/products`: what credits can be bought as.
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

extension CreditsProducts: SchemaDescribed {
  public static let summary = "What credits can be bought as."
}

extension CreditsProducts.Result: SchemaDescribed {
  public static let summary = "Everything that is sold here."

  public static let members = [
    "products": "In the order in which they are to be shown; none where nothing is sold."
  ]
}

/// `credits/changed`: a metered account has more or less to spend than before.
public struct CreditsChanged: NotificationMessage {
  public static let method = "credits/changed"

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

extension CreditsChanged: SchemaDescribed {
  public static let summary = "A metered account has more or less to spend than before."

  public static let members = [
    "available": "Credits that can be spent.",
    "held": "Credits set aside for what runs.",
  ]
}
