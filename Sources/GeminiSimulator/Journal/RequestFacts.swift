import JSONRPC

/// What the body of a request says.
public struct RequestFacts: Sendable {
  /// A picture in the request.
  public struct Image: Sendable, Hashable {
    /// As the request calls it.
    public var mimeType: String
    /// FNV-1a (64 bits) of the bytes, as hexadecimal digits.
    public var fingerprint: String
    public var bytes: Int
    /// `user` or `model`; for OpenAI `image` or `mask`.
    public var role: String
  }

  /// All text of the user's last turn, its parts joined by a newline.
  public var prompt = ""
  /// How many turns; 1 for OpenAI.
  public var turns = 0
  public var images: [Image] = []
  /// The thought signatures of model turns, in order, as they were written.
  public var thoughtSignatures: [String] = []
  /// The request, the data of its pictures replaced by their length: "<1234 bytes>".
  public var json: JSONValue = .null

  init() {}
}
