/// One thing that a connection does to answer a request. An answer is a list of them, carried out in order.
enum PlanStep: Sendable {
  case wait(milliseconds: Int)
  /// Sent, and handed to the network before the next step.
  case send([UInt8])
  /// Sent in pieces of so many bytes with so long between them.
  case trickle([UInt8], bytes: Int, milliseconds: Int)
  /// Sent again and again until the peer closes.
  case forever([UInt8])
  /// Waits until the test releases the request.
  case hold
  /// Waits until the peer closes.
  case stall
  /// No more of the request is read.
  case stopReading
  /// The connection is closed in order (FIN).
  case close
  /// The connection is reset (RST): what was not read is lost.
  case reset
}

extension HTTPAnswer {
  /// How the answer travels, and whether the connection serves further requests after it.
  func plan(for step: ScenarioStep, _ options: SimulatorOptions) -> (steps: [PlanStep], keepsAlive: Bool) {
    let latency = step.latencyMilliseconds ?? options.latencyMilliseconds
    let wait: [PlanStep] = latency > 0 ? [.wait(milliseconds: latency)] : []
    guard case .transport(let fault)? = step.fault else { return (wait + sending, keepsAlive) }
    var answer = self
    answer.change(for: fault)
    let last = answer.brokenSteps(fault) ?? answer.unusualSteps(fault, options)
    // These close the connection, or let it be closed, although the answer may promise otherwise.
    let isLast = last.contains(where: \.endsConnection) || fault == .untilClose || fault == .surprisingClose
    return (wait + last, answer.keepsAlive && !isLast)
  }

  /// A small answer in one piece, so that it is one packet.
  var sending: [PlanStep] {
    let pieces = bodyPieces
    if pieces.count <= 1, pieces.first?.count ?? 0 <= 64 << 10 { return [.send(headBytes + (pieces.first ?? []))] }
    return [.send(headBytes)] + pieces.map(PlanStep.send)
  }

  /// The faults that change what is sent.
  private mutating func change(for fault: TransportFault) {
    switch fault {
    case .hugeHeaders:
      headers += (0..<64).map { HeaderField("X-Huge-\($0)", String(repeating: "h", count: 4096)) }
    case .redirect, .redirectElsewhere:
      let place = fault == .redirect ? "/elsewhere" : "http://elsewhere.invalid/v1beta/models"
      self = .html(status: 302, "<html><body>Moved.</body></html>")
      headers.append(HeaderField("Location", place))
    case .connectionClose, .earlyResponseAndClose: keepsAlive = false
    case .chunked:
      let bytes = wholeBody
      body = .pieces(stride(from: 0, to: bytes.count, by: 16 << 10).map { Array(bytes[$0...].prefix(16 << 10)) })
    case .untilClose:
      body = .untilClose(wholeBody)
      headers.append(HeaderField("Connection", "close"))
    case .falseGzip: headers.append(HeaderField("Content-Encoding", "gzip"))
    case .gzip:
      headers.append(HeaderField("Content-Encoding", "gzip"))
      body = .whole(Zlib.compressed(wholeBody, as: .gzip))
    case .gzipBomb:
      headers.append(HeaderField("Content-Encoding", "gzip"))
      body = .pieces([])
    case .truncatedChunked, .endlessBody: body = .pieces([wholeBody])
    default: break
    }
  }

  /// The faults after which the connection is of no more use; nil for the others.
  private func brokenSteps(_ fault: TransportFault) -> [PlanStep]? {
    let head = headBytes
    let body = Array(bodyPieces.joined())
    let half = head + body.prefix(body.count / 2)
    switch fault {
    case .closeBeforeHead: return [.close]
    case .resetBeforeHead, .resetDuringUpload: return [.reset]
    case .resetAfterHead: return [.send(head), .reset]
    case .resetMidBody: return [.send(half), .reset]
    case .stallBeforeHead: return [.stall]
    case .stallDuringUpload: return [.stopReading, .stall]
    case .stallAfterHead: return [.send(head), .stall]
    case .stallMidBody: return [.send(half), .stall]
    case .truncatedBody, .truncatedChunked: return [.send(half), .close]
    case .endlessBody:
      // JSON that begins well.
      let opening = Self.chunk(Array(#"{"candidates":[{"content":{"parts":[{"text":""#.utf8))
      return [.send(head + opening), .forever(Self.chunk([UInt8](repeating: UInt8(ascii: "a"), count: 64 << 10)))]
    case .gzipBomb:
      return [.send(head + Self.chunk(Zlib.endlessOpening)), .forever(Self.chunk(Zlib.endlessPattern))]
    case .endlessHeaders:
      let line = Array(String(repeating: "X-Endless: \(String(repeating: "a", count: 1000))\r\n", count: 16).utf8)
      return [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .forever(line)]
    case .notHTTP: return [.send(Array("220 mail.example.org ESMTP ready\r\n".utf8)), .close]
    case .earlyResponseAndClose: return [.send(head + body), .close]
    default: return nil
    }
  }

  /// How a good answer comes.
  private func unusualSteps(_ fault: TransportFault, _ options: SimulatorOptions) -> [PlanStep] {
    let body = Array(bodyPieces.joined())
    let half = body.count / 2
    switch fault {
    case .hold: return [.hold] + sending
    case .holdMidBody: return [.send(headBytes + body.prefix(half)), .hold, .send(Array(body.dropFirst(half)))]
    case .slowDrip:
      return [
        .send(headBytes), .trickle(body, bytes: options.dripBytes, milliseconds: options.dripMilliseconds),
      ]
    case .interim: return [.send(Array("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n".utf8))] + sending
    default: return sending
    }
  }
}

extension PlanStep {
  fileprivate var endsConnection: Bool {
    switch self {
    case .forever, .stall, .close, .reset: true
    case .wait, .send, .trickle, .hold, .stopReading: false
    }
  }
}
