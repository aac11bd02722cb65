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

  /// Whether a tool's result may contain `resource_link`: strict clients of earlier versions refuse the whole result.
  var hasResourceLinks: Bool {
    switch self {
    case .legacy(let version): version >= .june2025
    case .modern: true
    }
  }
}
