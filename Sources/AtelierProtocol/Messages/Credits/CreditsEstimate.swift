import JSONRPC

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
