/// Which framing a connection speaks.
public enum FramingChoice: Sendable, Hashable {
  /// Recognised from the first non-blank byte after an optional byte order mark; lines until then.
  case automatic
  case fixed(Framing)

  /// The framing before anything was read.
  var initial: Framing {
    switch self {
    case .automatic: .lines
    case .fixed(let framing): framing
    }
  }
}
