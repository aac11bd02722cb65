/// The revision of MCP in which a request is made. It travels with each request, because clients of both eras may use one
/// process.
enum Era: Sendable, Equatable {
  /// The session that `initialize` began.
  case legacy(LegacyVersion)
  /// Stateless: each request names its version and what its client can do.
  case modern

  /// The only version of the modern era.
  static let modernVersion = "2026-07-28"

  var isModern: Bool { self == .modern }

  /// Whether a question to the person names its kind, `mode`: earlier versions have one kind, and no member for it.
  var namesKindOfQuestion: Bool {
    switch self {
    case .legacy(let version): version >= .november2025
    case .modern: true
    }
  }
}
