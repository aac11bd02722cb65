/// One thing that a connection does to answer a request. An answer is a list of them, carried out in order.
enum PlanStep: Sendable {
  case wait(milliseconds: Int)
  /// Sent, and handed to the network before the next step.
  case send([UInt8])
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

  fileprivate var endsConnection: Bool {
    switch self {
    case .forever, .stall, .close, .reset: true
    case .wait, .send, .hold, .stopReading: false
    }
  }
}

/// How one request is answered, in full.
struct Reply: Sendable {
  var plan: [PlanStep]
  /// Whether the connection serves further requests after the plan.
  var keepsAlive = true
  var status: Int?
  var fault: String?
}

extension HTTPAnswer {
  /// How the answer travels when nothing goes wrong.
  var reply: Reply { Reply(plan: sending, keepsAlive: keepsAlive, status: status) }

  /// How the answer travels when it meets a step of a scenario.
  func reply(for step: ScenarioStep, _ options: SimulatorOptions) -> Reply {
    var reply = reply
    reply.fault = step.fault?.name
    if let fault = step.transportFault {
      var answer = self
      answer.change(for: fault)
      reply.plan = answer.steps(fault, options)
      // These close the connection, or let it be closed, although the answer may promise otherwise.
      let isLast = reply.plan.contains(where: \.endsConnection) || fault == .untilClose || fault == .surprisingClose
      (reply.keepsAlive, reply.status) = (answer.keepsAlive && !isLast, answer.status)
    }
    let latency = step.latencyMilliseconds ?? options.latencyMilliseconds
    if latency > 0 { reply.plan.insert(.wait(milliseconds: latency), at: 0) }
    return reply
  }

  /// A small answer in one piece, so that it is one packet.
  private var sending: [PlanStep] {
    let pieces = bodyPieces
    if pieces.count == 1, pieces[0].count <= 64 << 10 { return [.send(headBytes + pieces[0])] }
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
    case .chunked: (body, framing) = (Self.pieces(wholeBody, of: 16 << 10), .chunked)
    case .untilClose: (framing, keepsAlive) = (.untilClose, false)
    case .falseGzip, .gzip, .gzipBomb:
      headers.append(HeaderField("Content-Encoding", "gzip"))
      if fault == .gzip { (body, framing) = ([Zlib.compressed(wholeBody, as: .gzip)], .length) }
      if fault == .gzipBomb { framing = .chunked }
    case .truncatedChunked, .endlessBody: (body, framing) = ([wholeBody], .chunked)
    default: break
    }
  }

  /// What the connection does, once the answer is changed.
  private func steps(_ fault: TransportFault, _ options: SimulatorOptions) -> [PlanStep] {
    let (head, body) = (headBytes, Array(bodyPieces.joined()))
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
    case .hold: return [.hold] + sending
    case .holdMidBody: return [.send(half), .hold, .send(Array(body.dropFirst(body.count / 2)))]
    case .slowDrip:
      return [.send(head)] + Self.pieces(body, of: options.dripBytes).flatMap { piece -> [PlanStep] in
        [.send(piece), .wait(milliseconds: options.dripMilliseconds)]
      }
    case .interim: return [.send(Array("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n".utf8))] + sending
    default: return sending
    }
  }

  private static func pieces(_ bytes: [UInt8], of count: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0...].prefix(count)) }
  }
}
