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

/// The versions that begin with `initialize`.
enum LegacyVersion: String, Sendable, CaseIterable, Comparable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"

  static let latest = LegacyVersion.november2025

  /// The version to speak with a client that asks for `name`: its own if it is known, else the latest.
  init(answering name: String) { self = LegacyVersion(rawValue: name) ?? .latest }

  // Versions are dates, so they sort as texts.
  static func < (left: LegacyVersion, right: LegacyVersion) -> Bool { left.rawValue < right.rawValue }
}
