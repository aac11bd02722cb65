import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Decides how requests are answered. Shared by all connections; only the journal and the scenario change.
final class Responder: Sendable {
  /// The API's limit on a request with its pictures, and some room for JSON around them.
  static let maximumBodyBytes = 104_857_600

  let options: SimulatorOptions
  let journal: Journal
  let scenario: Scenario
  /// For large bodies.
  let pool: NIOThreadPool
  private let gemini: GeminiService
  private let openAI: OpenAIService
  /// The connections of requests that are under way.
  private let channels = Mutex<[Int: any Channel]>([:])
  private let lastControlRequest = Atomic(0)
  private let controlTasks = Mutex<[Int: Task<Void, Never>]>([:])
  let isStopping = Atomic(false)

  init(options: SimulatorOptions, pool: NIOThreadPool) {
    self.options = options
    self.pool = pool
    journal = Journal(capacity: options.journalCapacity)
    scenario = Scenario(steps: options.scenario, always: options.always)
    gemini = GeminiService(options: options)
    openAI = OpenAIService(options: options)
  }

  // MARK: The life of a request

  /// The head of a request is there: it gets its number and, when it asks for pictures, its step of the scenario.
  func began(_ head: HTTPRequestHead, connection: Int, channel: any Channel) -> ReceivedRequest {
    let target = RequestTarget(head.uri)
    guard !target.isControl else {
      // Unique as well, and known to no journal.
      let id = -lastControlRequest.add(1, ordering: .relaxed).newValue
      return ReceivedRequest(id: id, head: head, target: target, step: .success, operation: .unknown)
    }
    let credential = Credential(head.headers, target)
    let operation = target.operation(head.method, credential: credential)
    let step = operation.isGenerating ? scenario.next(model: target.modelAndMethod?.model) : .success
    let id = journal.requestBegan { [now = journal.now] id in
      // Before anybody is told of the request, who may release it at once.
      channels.withLock { $0[id] = channel }
      return RequestRecord(
        id: id, connection: connection, method: head.method.rawValue, path: target.path, operation: operation,
        model: target.modelAndMethod?.model, headers: Credential.withoutSecrets(head.headers), credential: credential,
        times: .init(received: now))
    }
    return ReceivedRequest(
      id: id, head: head, target: target, step: step, operation: operation, credential: credential)
  }

  /// The answer to a request whose body need not be awaited.
  func earlyReply(to request: ReceivedRequest) -> Reply? {
    let length = request.head.headers.first(name: "Content-Length").flatMap(Int.init)
    if length ?? 0 > Self.maximumBodyBytes {
      return tooLarge(request)
    }
    guard case .transport(let fault)? = request.step.fault, fault.isEarly else { return nil }
    let answer = ErrorFault.tooLarge.answer(model: "")
    let plan = answer.plan(latency: 0, fault: fault, options: options)
    return Reply(
      plan: plan.steps, keepsAlive: plan.keepsAlive, status: answer.status, fault: request.step.fault?.name)
  }

  func tooLarge(_ request: ReceivedRequest) -> Reply {
    let message = "Request payload size exceeds the limit: \(Self.maximumBodyBytes) bytes."
    return Reply(to: request, atOnce: GeminiError.invalidArgument(message).answer)
  }

  /// For bytes that are no HTTP.
  var notHTTP: HTTPAnswer {
    var answer = HTTPAnswer.html(status: 400, "<html><body><h1>400 Bad Request</h1></body></html>\n")
    answer.keepsAlive = false
    return answer
  }

  /// A plan has come to its end, one way or another.
  func ended(_ run: PlanRun, as state: RequestRecord.State) {
    let request = run.request
    guard request.id > 0 else { return }
    _ = channels.withLock { $0.removeValue(forKey: request.id) }
    // Before its end is told: whoever waits for that reads the body next.
    if options.keepsBodies { journal.keep(request.body, of: request.id) }
    journal.change(request.id) { [now = journal.now] record in
      record.state = state
      record.bytesSent = run.bytesSent
      if state == .closedByPeer { record.times.closedByPeer = now } else { record.times.answered = now }
    }
    options.log?("\(request.head.method) \(request.target.path) \(run.reply.status ?? 0) \(run.bytesSent) \(state)")
  }

  /// Connections that end from now on are not closed by their peers. Whoever waits for a request is told.
  func stop() async {
    isStopping.store(true, ordering: .relaxed)
    journal.end()
    // They answer on event loops, which must outlive them.
    for task in controlTasks.withLock({ Array($0.values) }) { await task.value }
  }

  /// Lets a held request go on.
  func release(_ request: Int) {
    channels.withLock { $0[request] }?.pipeline.fireUserInboundEventTriggered(
      ConnectionHandler.Release(request: request))
  }

  func releaseAll() {
    for request in channels.withLock({ Array($0.keys) }) { release(request) }
  }

  // MARK: Answers

  func reply(to request: ReceivedRequest) -> Reply {
    if let refusal = refusal(of: request) { return Reply(to: request, atOnce: refusal) }
    let model = request.target.modelAndMethod?.model ?? ""
    switch request.operation {
    case .generateContent, .streamGenerateContent:
      let isStream = request.operation == .streamGenerateContent
      return reply(to: request, gemini.generate(request, model: model, isStream: isStream), model: model)
    case .imageGeneration, .imageEdit:
      let outcome = openAI.generate(request)
      return reply(to: request, outcome, model: outcome.facts?.json["model"]?.string)
    case .listModels: return Reply(to: request, atOnce: gemini.listModels(request.target))
    case .getModel: return Reply(to: request, atOnce: gemini.model(model, request.target))
    case .openAIListModels: return Reply(to: request, atOnce: openAI.listModels)
    case .openAIGetModel: return Reply(to: request, atOnce: openAI.model(model))
    case .unknown: return Reply(to: request, atOnce: notFound(request))
    }
  }

  private func reply(to request: ReceivedRequest, _ outcome: GeneratedAnswer, model: String?) -> Reply {
    var fault: TransportFault?
    if case .transport(let named)? = outcome.step.fault { fault = named }
    var answer = outcome.answer
    answer.keepsAlive = request.keepsAlive
    guard outcome.isAccepted else {
      var reply = Reply(to: request, atOnce: answer)
      (reply.facts, reply.model) = (outcome.facts, model)
      return reply
    }
    let latency = outcome.step.latencyMilliseconds ?? options.latencyMilliseconds
    let plan = answer.plan(latency: latency, fault: fault, options: options)
    return Reply(
      plan: plan.steps, keepsAlive: plan.keepsAlive, status: answer.status, fault: outcome.step.fault?.name,
      facts: outcome.facts, model: model)
  }

  /// Why the request is refused before its body is looked at.
  private func refusal(of request: ReceivedRequest) -> HTTPAnswer? {
    let credential = request.credential
    if request.operation == .unknown { return nil }
    if request.operation.isOpenAI {
      guard !options.isLocalServer || credential.place != .none else { return nil }
      if credential.place != .bearer { return OpenAIError.missingKey.answer }
      return credential.isBad ? OpenAIError.invalidKey.answer : nil
    }
    switch credential.place {
    case .none: return GeminiError.unregisteredCaller.answer
    case .bearer: return GeminiError.noAccessToken.answer
    case .header, .query: return credential.isBad ? GeminiError.keyInvalid.answer : nil
    }
  }

  /// Answers a request under `/_simulator/`; may wait for what is asked about, until the task is cancelled.
  /// - Returns: nil when the simulator is about to stop and nothing is answered any more.
  func answerControl(_ request: ReceivedRequest, _ promise: EventLoopPromise<Reply>) -> Task<Void, Never>? {
    controlTasks.withLock { tasks in
      if isStopping.load(ordering: .relaxed) {
        promise.fail(CancellationError())
        return nil
      }
      let task = Task {
        promise.succeed(Reply(to: request, atOnce: await ControlService(responder: self).answer(request)))
        _ = self.controlTasks.withLock { $0.removeValue(forKey: request.id) }
      }
      tasks[request.id] = task
      return task
    }
  }

  private func notFound(_ request: ReceivedRequest) -> HTTPAnswer {
    // What answers HEAD has no body.
    if request.head.method == .HEAD { return .html(status: 404, "") }
    return .html(
      status: 404,
      """
      <!DOCTYPE html>
      <html lang=en>
        <meta charset=utf-8>
        <title>Error 404 (Not Found)!!1</title>
        <p><b>404.</b> <ins>That’s an error.</ins>
        <p>The requested URL was not found on this server.  <ins>That’s all we know.</ins>

      """)
  }
}

extension Reply {
  /// An answer without fault or latency.
  init(to request: ReceivedRequest, atOnce answer: HTTPAnswer) {
    var answer = answer
    answer.keepsAlive = request.keepsAlive
    self.init(
      plan: answer.plan(latency: 0, fault: nil, options: SimulatorOptions()).steps, keepsAlive: answer.keepsAlive,
      status: answer.status)
  }
}

/// The plan of one answer while it is carried out.
struct PlanRun {
  let request: ReceivedRequest
  let reply: Reply
  private var position = 0
  /// Whether a byte of the answer has been sent.
  var hasBegun = false
  /// Whether a test must release it.
  var isHeld = false
  /// Gives up waiting for time to pass.
  var pause: (() -> Void)?
  var bytesSent = 0

  init(request: ReceivedRequest, reply: Reply) {
    self.request = request
    self.reply = reply
  }

  mutating func next() -> PlanStep? {
    guard position < reply.plan.count else { return nil }
    defer { position += 1 }
    return reply.plan[position]
  }
}

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
