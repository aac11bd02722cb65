/// A connection that goes wrong, or an answer that travels in an unusual way.
public enum TransportFault: String, Sendable, CaseIterable {
  case closeBeforeHead = "close-before-head"
  case resetBeforeHead = "reset-before-head"
  case resetAfterHead = "reset-after-head"
  case resetMidBody = "reset-mid-body"
  case resetDuringUpload = "reset-during-upload"
  case truncatedBody = "truncated-body"
  case truncatedChunked = "truncated-chunked"
  case stallBeforeHead = "stall-before-head"
  case stallAfterHead = "stall-after-head"
  case stallMidBody = "stall-mid-body"
  case stallDuringUpload = "stall-during-upload"
  case holdDuringUpload = "hold-during-upload"
  case noContinue = "no-continue"
  case hold
  case holdMidBody = "hold-mid-body"
  case slowDrip = "slow-drip"
  case endlessBody = "endless-body"
  case endlessHeaders = "endless-headers"
  case hugeHeaders = "huge-headers"
  case notHTTP = "not-http"
  case redirect
  case redirectElsewhere = "redirect-to-elsewhere"
  case earlyResponse = "early-response"
  case earlyResponseAndClose = "early-response-close"
  case connectionClose = "connection-close"
  case surprisingClose = "surprising-close"
  case chunked
  case untilClose = "until-close"
  case interim = "interim-103"
  case gzip
  case falseGzip = "says-gzip"
  case gzipBomb = "gzip-bomb"

  var summary: String {
    switch self {
    case .closeBeforeHead: "the connection is closed instead of an answer"
    case .resetBeforeHead: "the connection is reset instead of an answer"
    case .resetAfterHead: "the connection is reset after the head of the answer"
    case .resetMidBody: "the connection is reset after half of the body"
    case .resetDuringUpload: "the connection is reset as soon as the head of the request is there"
    case .truncatedBody: "Content-Length says more than comes before the connection is closed"
    case .truncatedChunked: "a chunked body is cut in the middle of a chunk and the connection closed"
    case .stallBeforeHead: "no answer ever comes; the connection stays open"
    case .stallAfterHead: "nothing comes after the head of the answer"
    case .stallMidBody: "nothing comes after half of the body"
    case .stallDuringUpload: "the body of the request is not read"
    case .holdDuringUpload: "the body of the request is read, and answered well, once the test releases it"
    case .noContinue: "a good answer, but Expect: 100-continue is not heeded"
    case .hold: "a good answer, once the test releases it"
    case .holdMidBody: "a good answer, its second half once the test releases it"
    case .slowDrip: "a good answer, a few bytes at a time"
    case .endlessBody: "a body that never ends, as fast as it is read"
    case .endlessHeaders: "headers that never end, as fast as they are read"
    case .hugeHeaders: "a good answer with 256 KiB of headers"
    case .notHTTP: "an answer in another protocol"
    case .redirect: "302 to the same server"
    case .redirectElsewhere: "302 to another host"
    case .earlyResponse: "an error before the body was read, which then is read and thrown away"
    case .earlyResponseAndClose: "an error before the body was read, then the connection is closed"
    case .connectionClose: "a good answer with Connection: close"
    case .surprisingClose: "a good answer that promises to keep the connection, which is closed then"
    case .chunked: "a good answer in chunks"
    case .untilClose: "a good answer without length, which ends with the connection"
    case .interim: "103 Early Hints, then a good answer"
    case .gzip: "a good answer, compressed"
    case .gzipBomb: "a small compressed body that never ends to unfold"
    case .falseGzip: "Content-Encoding: gzip before a body that is not compressed"
    }
  }

  /// Whether it happens as soon as the head of the request is there.
  var isEarly: Bool {
    switch self {
    case .resetDuringUpload, .stallDuringUpload, .earlyResponse, .earlyResponseAndClose: true
    default: false
    }
  }
}
