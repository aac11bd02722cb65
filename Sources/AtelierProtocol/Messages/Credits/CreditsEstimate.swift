import JSONRPC

/// `credits/estimate`: what a `generate` would cost, and whether it would be accepted now.
///
/// Nothing is made or set aside. The params are those of `generate`, exactly: what a host is about to send.
public struct CreditsEstimate: RequestMessage {
  public static let method = "credits/estimate"

  /// What would be asked for.
  public var request: Generate

  public init(_ request: Generate) {
    self.request = request
  }

  public init(from decoder: any Decoder) throws {
    request = try Generate(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try request.encode(to: encoder)
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
    "What a `generate` with these params would cost, and whether it would be accepted now. Nothing is made or set "
    + "aside."
}

extension CreditsEstimate: SchemaProviding {
  public static var placeholder: CreditsEstimate { CreditsEstimate(Generate(recipe: .headshot)) }

  /// Says "as `generate`" instead of saying all of it again.
  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    var schema: JSONObject = ["description": "The params of `generate`."]
    for (keyword, value) in builder.schema(of: Generate.self) { schema[keyword] = value }
    return schema
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
