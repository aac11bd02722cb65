/// What became of an account's credits, newest first, in pages.
///
/// A cursor stays valid while entries are added. It tells of credits after their generations were deleted.
public struct CreditsHistory: RequestMessage {
  public static let method = "credits/history"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts.
  public var account: AccountID?
  /// The most entries wanted. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?

  public init(account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  /// One page, and sums over all there is.
  public struct Result: Codable, Sendable, Equatable {
    /// Newest first.
    public var entries: [Entry]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?
    /// Credits the account has ever spent.
    public var totalUsed: Int
    /// The time the present allocation is for.
    public var currentPeriod: Period

    public init(entries: [Entry], nextCursor: String? = nil, totalUsed: Int, currentPeriod: Period) {
      self.entries = entries
      self.nextCursor = nextCursor
      self.totalUsed = totalUsed
      self.currentPeriod = currentPeriod
    }
  }

  /// The time the present allocation is for.
  public struct Period: Codable, Sendable, Equatable {
    /// When it began; absent for an allocation that is given once.
    public var starts: Timestamp?
    /// When the next one begins; absent where none will.
    public var ends: Timestamp?
    /// Credits spent in it, from whatever bucket.
    public var used: Int

    public init(starts: Timestamp? = nil, ends: Timestamp? = nil, used: Int) {
      self.starts = starts
      self.ends = ends
      self.used = used
    }
  }
}

extension CreditsHistory {
  /// One thing that became of an account's credits.
  public struct Entry: Codable, Sendable, Equatable {
    /// Names the entry, for as long as the ledger is kept.
    public var id: String
    /// When it happened.
    public var date: Timestamp
    /// Spent on a generation, given, over before they were spent, or taken back.
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
