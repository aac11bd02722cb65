import JSONRPC

/// What ``ServeOptions`` say.
struct ServeSettings: Sendable {
  var framing = FramingChoice.automatic
  var limits = ConnectionLimits()
  var watchParent = false
  /// The file the messages are mirrored into.
  var trace: String?
}

extension ServeOptions {
  var settings: ServeSettings {
    var limits = ConnectionLimits()
    limits.maximumMessageBytes = maxMessageBytes
    limits.maximumInFlight = maxInFlight
    limits.drainTimeout = .seconds(drainTimeout)
    let choice: FramingChoice =
      switch framing {
      case nil: .automatic
      case .ndjson: .fixed(.lines)
      case .headers: .fixed(.headers)
      }
    return ServeSettings(framing: choice, limits: limits, watchParent: watchParent, trace: trace)
  }
}
