/// Lists the changes of an account's credits, newest first, in pages.
///
/// A cursor stays valid when entries are added. Entries remain when their generations are deleted.
public struct CreditsHistory: RequestMessage {
  public static let method = "credits/history"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account. Default: the connection's account, otherwise `owner`.
  public var account: AccountID?
  /// The maximum number of entries in the page. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// The `nextCursor` of the previous page. Default: the first page.
  @Limited<CursorLength> public var cursor: String?

  public init(account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  /// One page of entries, and sums over all entries.
  public struct Result: Codable, Sendable, Equatable {
    /// The entries, newest first.
    public var entries: [Entry]
    /// The cursor of the next page; absent on the last page.
    public var nextCursor: String?
    /// All credits that the account has spent so far.
    public var totalUsed: Int
    /// The period of the current allocation.
    public var currentPeriod: Period

    public init(entries: [Entry], nextCursor: String? = nil, totalUsed: Int, currentPeriod: Period) {
      self.entries = entries
      self.nextCursor = nextCursor
      self.totalUsed = totalUsed
      self.currentPeriod = currentPeriod
    }
  }

  /// The period of the current allocation.
  public struct Period: Codable, Sendable, Equatable {
    /// When the period began; absent for an allocation that is given once.
    public var starts: Timestamp?
    /// When the next period begins; absent if there is none.
    public var ends: Timestamp?
    /// Credits spent in the period, from any bucket.
    public var used: Int

    public init(starts: Timestamp? = nil, ends: Timestamp? = nil, used: Int) {
      self.starts = starts
      self.ends = ends
      self.used = used
    }
  }
}

extension CreditsHistory {
  /// One change of an account's credits.
  public struct Entry: Codable, Sendable, Equatable {
    /// The id of the entry.
    public var id: String
    /// When the credits changed.
    public var date: Timestamp
    /// Why the credits changed.
    public var kind: Kind
    /// The change of the balance: negative if credits were taken.
    public var amount: Int
    /// The balance after the change; null for an account that is not metered.
    @Nullable public var balanceAfter: Int?
    /// The generation that the credits were spent on.
    public var generationId: GenerationID?
    /// The recipe of the generation.
    public var recipe: Recipe?
    /// The beginning of the generation's prompt; absent if there was none or the generation is private.
    public var prompt: String?
    /// Where the credits came from; absent if they came from several buckets.
    public var bucket: CreditKind?
    /// The reason in words, for example the one given by the operator.
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

    /// Why credits changed.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// They were spent on a generation.
      case use
      /// They were granted.
      case grant
      /// They expired before they were spent.
      case expiry
      /// They were taken back, because a shop revoked the purchase or an operator revoked the grant; or they are given once
      /// to each person, and the person has had them with another account.
      case revocation
    }

    /// The longest ``prompt``, in Unicode code points.
    public static let promptLength = 80

    /// `prompt` on one line, no longer than ``promptLength``, and cut between words if possible.
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
