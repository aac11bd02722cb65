import AtelierClient

/// Who sends a request.
struct Visitor: Sendable {
  /// The account that is acted for.
  var account: AccountID
  /// Whether nobody has signed in.
  var isGuest: Bool
  /// Where the request comes from, as limits count it.
  var network: ClientAddress.Network
}

/// Whoever sends a cookie or a token that was good once. Nothing can be asked of the service for them: only a request that
/// has ended it is answered once more, because proxies may send it twice.
struct EndedVisitor: Sendable {
  enum Ending: Sendable { case signOut, deletion }

  let ending: Ending
  /// The account that was acted for, as a deletion is answered.
  let account: AccountID
}

/// What a request proves of who sends it.
enum Proof: Sendable {
  case visitor(Visitor)
  case ended(EndedVisitor)
  case nothing

  var visitor: Visitor? { if case .visitor(let visitor) = self { visitor } else { nil } }
}
