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
