import Glibc

/// The environment variables Atelier reads; an empty one counts as absent.
enum Environment {
  static func value(of name: String) -> String? {
    // The text is copied at once; nobody here changes the environment.
    guard let text = getenv(name) else { return nil }
    let value = String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// `--data-dir`'s default: `$ATELIER_DATA_DIR`, else `$XDG_DATA_HOME/atelier`, else `~/.local/share/atelier`.
  static var dataDirectory: String? {
    if let directory = value(of: "ATELIER_DATA_DIR") { return directory }
    if let base = value(of: "XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/atelier" }
    return value(of: "HOME").map { $0 + "/.local/share/atelier" }
  }
}
