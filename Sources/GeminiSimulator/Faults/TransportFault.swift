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

extension HTTPAnswer {
  /// How the answer travels.
  func plan(latency: Int, fault: TransportFault?, options: SimulatorOptions) -> (steps: [PlanStep], keepsAlive: Bool) {
    let wait: [PlanStep] = latency > 0 ? [.wait(milliseconds: latency)] : []
    guard let fault else { return (wait + sending, keepsAlive) }
    let steps = steps(fault, options)
    return (wait + steps.steps, steps.keepsAlive && keepsAlive)
  }

  private static let smallBody = 64 * 1024

  /// A small answer in one piece, so that it is one packet.
  private var sending: [PlanStep] {
    let pieces = bodyBytes
    if pieces.count <= 1, pieces.first?.count ?? 0 <= Self.smallBody {
      return [.send(headBytes + (pieces.first ?? []))]
    }
    return [.send(headBytes)] + pieces.map(PlanStep.send)
  }

  private func steps(_ fault: TransportFault, _ options: SimulatorOptions) -> (steps: [PlanStep], keepsAlive: Bool) {
    let head = headBytes
    let body = Array(bodyBytes.joined())
    let half = body.count / 2
    let (first, second) = (Array(body.prefix(half)), Array(body.dropFirst(half)))
    switch fault {
    case .closeBeforeHead: return ([.close], false)
    case .resetBeforeHead, .resetDuringUpload: return ([.reset], false)
    case .resetAfterHead: return ([.send(head), .reset], false)
    case .resetMidBody: return ([.send(head + first), .reset], false)
    case .stallBeforeHead: return ([.stall], false)
    case .stallDuringUpload: return ([.stopReading, .stall], false)
    case .stallAfterHead: return ([.send(head), .stall], false)
    case .stallMidBody: return ([.send(head + first), .stall], false)
    case .hold: return ([.hold] + sending, true)
    case .holdMidBody: return ([.send(head + first), .hold, .send(second)], true)
    case .slowDrip:
      let drip = PlanStep.trickle(body, bytes: options.dripBytes, milliseconds: options.dripMilliseconds)
      return ([.send(head), drip], true)
    case .truncatedBody: return ([.send(head + first), .close], false)
    case .truncatedChunked: return (cutChunks, false)
    case .endlessBody: return (endlessBody, false)
    case .gzipBomb: return (gzipBomb, false)
    case .endlessHeaders:
      let line = Array(String(repeating: "X-Endless: \(String(repeating: "a", count: 1000))\r\n", count: 16).utf8)
      return ([.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .forever(line)], false)
    case .notHTTP: return ([.send(Array("220 mail.example.org ESMTP ready\r\n".utf8)), .close], false)
    case .earlyResponse: return ([.send(head + body)], true)
    case .earlyResponseAndClose: return ([.send(closing.headBytes + body), .close], false)
    default: return changed(fault)
    }
  }

  /// The faults that send another good answer.
  private func changed(_ fault: TransportFault) -> (steps: [PlanStep], keepsAlive: Bool) {
    var answer = self
    switch fault {
    case .hugeHeaders:
      answer.headers += (0..<64).map { HeaderField("X-Huge-\($0)", String(repeating: "h", count: 4096)) }
    case .redirect, .redirectElsewhere:
      let place = fault == .redirect ? "/elsewhere" : "http://elsewhere.invalid/v1beta/models"
      answer = .html(status: 302, "<html><body>Moved.</body></html>")
      answer.headers.append(HeaderField("Location", place))
    case .connectionClose: answer.keepsAlive = false
    case .surprisingClose: return (sending, false)
    case .chunked: answer.body = .pieces(answer.wholeBody.chunked(by: 16 * 1024))
    case .untilClose:
      answer.headers.append(HeaderField("Connection", "close"))
      return ([.send(answer.headBytesWithoutLength + wholeBody)], false)
    case .interim:
      let interim = Array("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n".utf8)
      return ([.send(interim)] + sending, true)
    case .falseGzip: answer.headers.append(HeaderField("Content-Encoding", "gzip"))
    case .gzip:
      answer.headers.append(HeaderField("Content-Encoding", "gzip"))
      answer.body = .whole(Gzip.stored(wholeBody))
    default: break
    }
    return (answer.sending, answer.keepsAlive)
  }

  private var closing: HTTPAnswer {
    var answer = self
    answer.keepsAlive = false
    return answer
  }

  private var wholeBody: [UInt8] {
    switch body {
    case .whole(let bytes): bytes
    case .pieces(let pieces): Array(pieces.joined())
    }
  }

  private var headBytesWithoutLength: [UInt8] {
    var text = "HTTP/1.1 \(status) OK\r\n"
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// Promises a chunk and sends half of it.
  private var cutChunks: [PlanStep] {
    var answer = self
    answer.body = .pieces([])
    let bytes = wholeBody
    let size = Array((String(bytes.count, radix: 16) + "\r\n").utf8)
    return [.send(answer.headBytes + size + bytes.prefix(bytes.count / 2)), .close]
  }

  private var gzipBomb: [PlanStep] {
    var answer = self
    answer.headers.append(HeaderField("Content-Encoding", "gzip"))
    answer.body = .pieces([])
    return [.send(answer.headBytes + Self.chunk(Gzip.endlessOpening)), .forever(Self.chunk(Gzip.endlessPattern))]
  }

  /// JSON that begins well and never ends.
  private var endlessBody: [PlanStep] {
    var answer = self
    answer.body = .pieces([])
    let opening = Array(#"{"candidates":[{"content":{"parts":[{"text":""#.utf8)
    let more = [UInt8](repeating: UInt8(ascii: "a"), count: 64 * 1024)
    return [.send(answer.headBytes + Self.chunk(opening)), .forever(Self.chunk(more))]
  }
}

extension [UInt8] {
  fileprivate func chunked(by length: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
  }
}
