import JSON

/// Sets the metadata and the favorite mark of a generation that has ended.
///
/// The answer is the changed generation.
public struct HistoryAnnotate: RequestMessage {
  public static let method = "history/annotate"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  /// The generation; it must have ended.
  public var generationId: GenerationID
  /// Any data of the host, in place of all earlier metadata; at most 4096 bytes as JSON. Default: unchanged.
  @Limited<Metadata> public var metadata: JSONObject?
  /// Whether the generation is a favorite; `history` can list favorites only. Default: unchanged.
  public var favorite: Bool?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(
    generationId: GenerationID, metadata: JSONObject? = nil, favorite: Bool? = nil, account: AccountID? = nil
  ) {
    self.generationId = generationId
    self.metadata = metadata
    self.favorite = favorite
    self.account = account
  }

  /// The changed generation.
  public typealias Result = Generation
}
