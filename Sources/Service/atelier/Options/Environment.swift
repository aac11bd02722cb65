import Glibc

/// The environment variables that Atelier reads; an empty one counts as absent.
enum Environment {
  static func value(of name: String) -> String? {
    // The text is copied at once; nothing in this process changes the environment.
    guard let text = getenv(name) else { return nil }
    let value = String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// Whether debuggers and other programs of the user may read the memory of Atelier, which holds API keys.
  static var allowsDebugger: Bool { value(of: "ATELIER_ALLOW_DEBUGGER") == "1" }

  /// `--data-dir`'s default: `$ATELIER_DATA_DIR`, else `$XDG_DATA_HOME/atelier`, else `~/.local/share/atelier`.
  /// - Throws: `CommandFailure` when the one that counts is not UTF-8.
  static func dataDirectory() throws -> String? {
    if let directory = try ForeignText.path(inVariable: "ATELIER_DATA_DIR") { return directory }
    if let base = try ForeignText.path(inVariable: "XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/atelier" }
    return try ForeignText.path(inVariable: "HOME").map { $0 + "/.local/share/atelier" }
  }
}
