/// Waits for the end of a generation, whichever process works on it, and answers with the generation as it ended.
///
/// `generation/progress` comes at once with the present state, and then as for the request that started the generation,
/// with the id of this request. A generation that has ended is answered at once. Any number of requests may watch the
/// same generation. Cancelling this request ends the watch and leaves the generation alone.
public struct GenerationWatch: RequestMessage {
  public static let method = "generation/watch"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .interrupted]

  /// The generation to watch.
  public var generationId: GenerationID
  /// Whether to send `generation/progress`. Default true.
  public var progress: Bool?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(generationId: GenerationID, progress: Bool? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.progress = progress
    self.account = account
  }

  /// The generation in a final state, also when it failed; never with inline data.
  public typealias Result = Generation
}
