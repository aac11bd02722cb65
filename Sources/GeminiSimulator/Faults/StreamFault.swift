/// A stream of server-sent events that goes wrong, or looks unusual.
public enum StreamFault: String, Sendable, CaseIterable {
  case error = "sse-error"
  case bareError = "sse-bare-error"
  case noFinish = "sse-no-finish"
  case done = "sse-done"
  case carriageReturns = "sse-crlf"
  case comments = "sse-comments"
  case manyLines = "sse-many-lines"
  case notJSON = "sse-not-json"
  case smallPieces = "sse-small-pieces"

  var summary: String {
    switch self {
    case .error: "the stream ends with data: {\"error\": …} after its first event"
    case .bareError: "the stream ends with an error object that is no event, after its first event"
    case .noFinish: "the stream ends after the picture, without finishReason"
    case .done: "the stream ends with data: [DONE], as OpenAI's does"
    case .carriageReturns: "the lines of the stream end with CR LF"
    case .comments: "comments and event names between the events"
    case .manyLines: "each event in several data: lines"
    case .notJSON: "the second event is no JSON"
    case .smallPieces: "the stream in chunks of 7 bytes, cutting events and characters"
    }
  }
}
