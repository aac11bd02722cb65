import Glibc

/// Which framing a connection uses.
public enum FramingChoice: Sendable, Hashable {
  /// Detected from the first non-blank byte after an optional byte order mark; lines until then.
  case automatic
  case fixed(Framing)

  /// The framing before anything is read.
  var initial: Framing {
    switch self {
    case .automatic: .lines
    case .fixed(let framing): framing
    }
  }
}
