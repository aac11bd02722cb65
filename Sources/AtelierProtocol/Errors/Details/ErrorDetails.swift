import JSONRPC

/// The facts of some kinds of errors, as a type: what is in `data.details`.
///
/// ```swift
/// AtelierError(.insufficientCredits, details: InsufficientCreditsDetails(required: 4, available: 1).json)
/// ```
public protocol ErrorDetails: Codable, Sendable, Equatable, SchemaDescribed {
  /// The kinds of errors that have them.
  static var kinds: [ErrorKind] { get }

  /// The members as they go on the wire. Written by hand because it cannot fail, as an encoder may.
  var json: JSONObject { get }

  /// For the reference.
  static var example: Self { get }
}

extension ErrorDetails {
  /// The details of `error`; nil where it is of another kind, or they are not of this form.
  public init?(_ error: AtelierError) {
    guard Self.kinds.contains(error.kind),
      let details = try? JSONValueDecoder(unknownMembers: .ignore).decode(Self.self, from: .object(error.details))
    else { return nil }
    self = details
  }
}
