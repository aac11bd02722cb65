/// `feedback/submit`: keeps what a person thought of a result (REQUIREMENTS 7.4).
///
/// It stays on this machine, in history, takes the place of what was said before and is deleted with its generation. Of
/// a private generation only the rating is kept.
public struct FeedbackSubmit: RequestMessage {
  public static let method = "feedback/submit"

  public var generationId: GenerationID
  /// 1 to 5, from bad to good.
  @LimitedInteger<Rating> public var rating: Int
  /// In the person's own words.
  @Limited<FeedbackLength> public var text: String?
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?

  public init(generationId: GenerationID, rating: Int, text: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.rating = rating
    self.text = text
    self.account = account
  }

  public struct Result: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    public var feedback: History.Entry.Feedback

    public init(generationId: GenerationID, feedback: History.Entry.Feedback) {
      self.generationId = generationId
      self.feedback = feedback
    }
  }
}

extension FeedbackSubmit: SchemaDescribed {
  public static let summary =
    "Keeps what a person thought of a result that has ended. It stays on this machine, in history, takes the place of "
    + "what was said before and is deleted with its generation. Of a private generation only the rating is kept."

  public static let members = [
    "rating": "1 to 5, from bad to good.",
    "text": "In the person's own words.",
    "account": "Whose it is. Default: the account of `initialize`, else any.",
  ]
}

extension FeedbackSubmit.Result: SchemaDescribed {
  public static let summary = "What is kept."
  public static let members: [String: String] = [:]
}
