import NIOCore
import NIOHTTP1
import Synchronization

/// Decides how requests are answered. Shared by all connections; only the journal and the scenario change.
final class Responder: Sendable {
  /// The API's limit on a request with its pictures, and some room for JSON around them.
  static let maximumBodyBytes = 104_857_600

  let options: SimulatorOptions
  let journal: Journal
  let scenario: Scenario
  /// The connections of requests that are under way.
  private let channels = Mutex<[Int: any Channel]>([:])
  /// Connections that end from now on are not closed by their peers.
  let isStopping = Atomic(false)

  init(options: SimulatorOptions) {
    self.options = options
    journal = Journal(capacity: options.journalCapacity)
    scenario = Scenario(steps: options.scenario, always: options.always)
  }

  var control: ControlService { ControlService(responder: self) }

  // MARK: The life of a request

  /// The head of a request is there: it gets its number and, when it asks for pictures, its step of the scenario.
  func began(_ head: HTTPRequestHead, connection: Int, channel: any Channel) -> ReceivedRequest {
    let target = RequestTarget(head.uri)
    guard !target.isControl else { return ReceivedRequest(id: 0, head, target) }
    let credential = Credential(head.headers, target)
    let operation = target.operation(head.method, credential)
    let model = target.modelAndMethod?.model
    let step = operation.isGenerating ? scenario.next(model: model) : .success
    let id = journal.requestBegan { [now = journal.now] id in
      // Before anybody is told of the request, who may release it at once.
      channels.withLock { $0[id] = channel }
      return RequestRecord(
        id: id, connection: connection, method: head.method.rawValue, path: target.path, operation: operation,
        model: model, credential: credential, headers: Credential.withoutSecrets(head.headers),
        times: .init(received: now))
    }
    return ReceivedRequest(id: id, head, target, operation, credential, step)
  }

  /// The answer to a request whose body need not be awaited.
  func earlyReply(to request: ReceivedRequest) -> Reply? {
    if request.contentLength ?? 0 > Self.maximumBodyBytes { return tooLarge(request) }
    guard case .transport(let fault)? = request.step.fault, fault.isEarly else { return nil }
    request.step.latencyMilliseconds = 0
    let answer = Fault.error(.tooLarge).entry.answer(model: "", inGoogleStyle: true)
    return answer.map { reply(to: request, with: $0) }
  }

  func tooLarge(_ request: ReceivedRequest) -> Reply {
    let message = "Request payload size exceeds the limit: \(Self.maximumBodyBytes) bytes."
    return Reply(to: request, atOnce: .googleError(400, message))
  }

  /// A plan has come to its end, one way or another.
  func ended(_ run: PlanRun, as state: RequestRecord.State) {
    let request = run.request
    guard request.id > 0 else { return }
    _ = channels.withLock { $0.removeValue(forKey: request.id) }
    let body = options.keepsBodies ? Array(request.body.readableBytesView) : nil
    journal.change(request.id) { [now = journal.now] record in
      record.body = body
      record.state = state
      record.bytesSent = run.bytesSent
      if state == .closedByPeer { record.times.closedByPeer = now } else { record.times.answered = now }
    }
    options.log?("\(request.head.method) \(request.target.path) \(run.reply.status ?? 0) \(run.bytesSent) \(state)")
  }

  /// Whoever waits for a request is told that it does so in vain.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    journal.end()
  }

  /// Lets a held request go on.
  func release(_ request: Int) {
    let channel = channels.withLock { $0[request] }
    channel?.pipeline.fireUserInboundEventTriggered(ConnectionHandler.Release(request: request))
  }

  func releaseAll() {
    for request in channels.withLock({ Array($0.keys) }) { release(request) }
  }

  // MARK: Answers

  func reply(to request: ReceivedRequest) -> Reply {
    do throws(HTTPAnswer) {
      try checkKey(of: request)
      let answer = try answer(to: request)
      return request.operation.isGenerating
        ? reply(to: request, with: answer) : Reply(to: request, atOnce: answer)
    } catch {
      return Reply(to: request, atOnce: error)
    }
  }

  private func reply(to request: ReceivedRequest, with answer: HTTPAnswer) -> Reply {
    var answer = answer
    answer.keepsAlive = request.head.isKeepAlive
    let plan = answer.plan(for: request.step, options)
    return Reply(
      plan: plan.steps, keepsAlive: plan.keepsAlive, status: answer.status, fault: request.step.fault?.name)
  }

  private func answer(to request: ReceivedRequest) throws(HTTPAnswer) -> HTTPAnswer {
    switch request.operation {
    case .generateContent, .streamGenerateContent: try GeminiService.generate(request, options)
    case .listModels: try GeminiService.listModels(request.target)
    case .getModel: try GeminiService.model(request)
    case .imageGeneration, .imageEdit: try OpenAIService.generate(request, options)
    case .openAIListModels: OpenAIService.listModels
    case .openAIGetModel: try OpenAIService.model(request.model ?? "")
    // What answers HEAD has no body.
    case .unknown: .html(status: 404, request.head.method == .HEAD ? "" : Self.notFoundPage)
    }
  }

  /// - Throws: the answer to a request without a good key, whose body is not looked at.
  private func checkKey(of request: ReceivedRequest) throws(HTTPAnswer) {
    let (place, isBad) = (request.credential.place, request.credential.isBad)
    if request.operation == .unknown { return }
    if request.operation.isOpenAI {
      if options.isLocalServer, place == .none { return }
      if place != .bearer { throw .openAIError(401, OpenAIService.missingKey) }
      if isBad { throw Fault.openAI(.invalidKey).entry.answer(model: "", inGoogleStyle: false) ?? .json(status: 401, [:]) }
    } else {
      if place == .none { throw GeminiService.refusal(.unregisteredCaller) }
      if place == .bearer { throw GeminiService.noAccessToken }
      if isBad { throw GeminiService.refusal(.keyInvalid) }
    }
  }

  private static let notFoundPage = """
    <!DOCTYPE html>
    <html lang=en>
      <meta charset=utf-8>
      <title>Error 404 (Not Found)!!1</title>
      <p><b>404.</b> <ins>That’s an error.</ins>
      <p>The requested URL was not found on this server.  <ins>That’s all we know.</ins>

    """
}

extension Reply {
  /// An answer without fault or latency.
  init(to request: ReceivedRequest, atOnce answer: HTTPAnswer) {
    var answer = answer
    answer.keepsAlive = request.head.isKeepAlive
    self.init(plan: answer.sending, keepsAlive: answer.keepsAlive, status: answer.status)
  }
}
