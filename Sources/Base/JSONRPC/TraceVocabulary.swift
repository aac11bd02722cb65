import Encodings

/// What a trace may show of messages; everything else is replaced by its kind or its length.
///
/// A peer can put a secret anywhere: under a misspelt name, as the value of the wrong member, as a name. So the trace
/// never shows a value because it looks harmless, only because it is known to be harmless.
public struct TraceVocabulary: Sendable {
  /// Member names that may be shown.
  public var members: Set<ExactText>
  /// Texts that may appear anywhere: methods, enumeration values, sentences of the program.
  public var words: Set<ExactText>
  /// Members of which not even the length is shown.
  public var secretMembers: Set<ExactText>
  /// The prefixes of ids that the program issues; an underscore and the 26 digits of a ULID follow.
  public var identifierPrefixes: [String]

  public init(
    members: some Sequence<String> = [], words: some Sequence<String> = [], secretMembers: [String] = [],
    identifierPrefixes: [String] = []
  ) {
    self.identifierPrefixes = identifierPrefixes
    self.members = Set(members.map(ExactText.init)).union(Self.envelope)
    self.words = Set(words.map(ExactText.init)).union(["2.0", "$/cancelRequest"].map(ExactText.init))
    self.secretMembers = Set(secretMembers.map(ExactText.init))
  }

  /// The members of JSON-RPC itself and of its errors about params.
  private static let envelope = Set(
    ["jsonrpc", "id", "method", "params", "result", "error", "code", "message", "data", "path", "expected"]
      .map(ExactText.init))
}
