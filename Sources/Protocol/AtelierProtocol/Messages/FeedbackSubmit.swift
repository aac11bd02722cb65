/// Stores a person's opinion of a generation that has ended.
///
/// It stays on this machine, replaces the earlier feedback on the generation, and is deleted with the generation. Of a
/// private generation only the rating is stored.
public struct FeedbackSubmit: RequestMessage {
  public static let method = "feedback/submit"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  /// The generation; it must have ended.
  public var generationId: GenerationID
  /// From 1 (bad) to 5 (good).
  @LimitedNumber<Rating> public var rating: Int
  /// The opinion in the person's own words.
  @Limited<FeedbackLength> public var text: String?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(generationId: GenerationID, rating: Int, text: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.rating = rating
    self.text = text
    self.account = account
  }

  /// What was stored.
  public struct Result: Codable, Sendable, Equatable {
    /// The generation.
    public var generationId: GenerationID
    /// The stored feedback.
    public var feedback: Generation.Feedback

    public init(generationId: GenerationID, feedback: Generation.Feedback) {
      self.generationId = generationId
      self.feedback = feedback
    }
  }
}
