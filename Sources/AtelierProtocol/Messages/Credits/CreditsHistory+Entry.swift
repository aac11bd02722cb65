extension CreditsHistory {
  /// One thing that became of an account's credits.
  public struct Entry: Codable, Sendable, Equatable {
    public var id: String
    public var date: Timestamp
    public var kind: Kind
    /// What it did to what the account has: less than 0 where it took credits.
    public var amount: Int
    /// What the account had left then; null for an account that is not metered.
    @Nullable public var balanceAfter: Int?
    /// What the credits were spent on.
    public var generationId: GenerationID?
    /// What was made.
    public var recipe: Recipe?
    /// The beginning of what was asked for; absent where nothing was, or the request was private.
    public var prompt: String?
    /// Where the credits came from; absent where they came from several buckets.
    public var bucket: CreditKind?
    /// Why, in words, such as those of the operator who granted them.
    public var reason: String?

    public init(
      id: String, date: Timestamp, kind: Kind, amount: Int, balanceAfter: Int?, generationId: GenerationID? = nil,
      recipe: Recipe? = nil, prompt: String? = nil, bucket: CreditKind? = nil, reason: String? = nil
    ) {
      self.id = id
      self.date = date
      self.kind = kind
      self.amount = amount
      self.balanceAfter = balanceAfter
      self.generationId = generationId
      self.recipe = recipe
      self.prompt = prompt
      self.bucket = bucket
      self.reason = reason
    }

    /// What can become of credits.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// They were spent on a generation.
      case use
      /// They were given.
      case grant
      /// Their time was over.
      case expiry
      /// They were taken back, because a store or an operator took back what they were given for.
      case revocation
    }

    /// The longest ``prompt``, in Unicode code points.
    public static let promptLength = 80

    /// `prompt` on one line and no longer than ``promptLength``, cut between words where there is a place to.
    /// - Returns: nil when it says nothing.
    public static func summary(of prompt: String) -> String? {
      let words = prompt.unicodeScalars.split {
        $0.properties.isWhitespace || $0.properties.generalCategory == .control
      }
      let line = words.map(String.init).joined(separator: " ").unicodeScalars
      guard line.count > promptLength else { return line.isEmpty ? nil : String(line) }
      // A word that begins in the last quarter is left out; a longer one is cut. One place is for the ellipsis.
      let beginning = line.prefix(promptLength)
      let cut = beginning.lastIndex(of: " ").map { beginning[..<$0] }
      let end = cut.flatMap { $0.count >= promptLength * 3 / 4 ? $0 : nil } ?? beginning.dropLast()
      return String(end) + "…"
    }
  }
}

extension CreditsHistory.Entry: SchemaDescribed {
  public static let summary = "One thing that became of an account's credits."

  public static let members = [
    "kind": "Spent on a generation, given, over before they were spent, or taken back.",
    "amount": "What it did to what the account has: less than 0 where it took credits.",
    "balanceAfter": "What the account had left then; null for an account that is not metered.",
    "generationId": "What the credits were spent on.",
    "recipe": "What was made.",
    "prompt": "The beginning of what was asked for; absent where nothing was, or the request was private.",
    "bucket": "Where the credits came from; absent where they came from several buckets.",
    "reason": "Why, in words, such as those of the operator who granted them.",
  ]
}
