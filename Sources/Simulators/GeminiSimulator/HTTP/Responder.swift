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

  // MARK: The life of a request

  /// The head of a request is there: it gets its number and, when it asks for pictures, its step of the scenario.
  func began(_ head: HTTPRequestHead, connection: Int, channel: any Channel) -> ReceivedRequest {
    let target = ReceivedTarget(head.uri)
    guard !target.isControl else { return ReceivedRequest(id: 0, head, target) }
    let credential = Credential(head.headers, target)
    let operation = target.operation(head.method, credential)
    let model = target.modelAndMethod?.model
    let step =
      switch operation {
      case .geocode: scenario.next(only: NominatimService.model)
      case .keySet: scenario.next(only: IssuerService.model)
      default: operation.isGenerating ? scenario.next(model: model) : .success
      }
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

  /// A plan has come to its end, one way or another.
  func ended(_ run: PlanRun, as state: RequestRecord.State) {
    let request = run.request
    guard request.id > 0 else { return }
    _ = channels.withLock { $0.removeValue(forKey: request.id) }
    let body = options.keepsBodies ? Array(request.body.readableBytesView) : nil
    journal.change(request.id) { [now = journal.now] record in
      (record.body, record.state, record.bytesSent) = (body, state, run.bytesSent)
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
    channel?.pipeline.fireUserInboundEventTriggered(HTTPConnectionHandler.Release(request: request))
  }

  func releaseAll() {
    for request in channels.withLock({ Array($0.keys) }) { release(request) }
  }

  // MARK: Answers

  /// The answer to a request whose body need not be awaited.
  func earlyReply(to request: ReceivedRequest) -> Reply? {
    if request.contentLength ?? 0 > Self.maximumBodyBytes { return Self.tooLarge }
    guard request.step.transportFault?.isEarly == true else { return nil }
    request.step.latencyMilliseconds = 0
    return Fault.error(.tooLarge).errorAnswer()?.reply(for: request.step, options)
  }

  static let tooLarge = HTTPAnswer.googleError(
    400, "Request payload size exceeds the limit: \(maximumBodyBytes) bytes."
  ).reply

  func reply(to request: ReceivedRequest) -> Reply {
    do throws(HTTPAnswer) {
      try checkKey(of: request)
      var answer = try answer(to: request)
      answer.keepsAlive = request.head.isKeepAlive
      return request.operation.isGenerating || [.geocode, .keySet].contains(request.operation)
        ? answer.reply(for: request.step, options) : answer.reply
    } catch {
      var answer = error
      answer.keepsAlive = request.head.isKeepAlive
      return answer.reply
    }
  }

  private func answer(to request: ReceivedRequest) throws(HTTPAnswer) -> HTTPAnswer {
    switch request.operation {
    case .generateContent, .streamGenerateContent: try GeminiService.generate(request, options)
    case .listModels: try GeminiService.listModels(request.target)
    case .getModel: try GeminiService.model(request)
    case .imageGeneration, .imageEdit: try OpenAIService.generate(request, options)
    case .chatCompletion: try ChatService.complete(request, options)
    case .geocode: try NominatimService.search(request)
    case .keySet: try IssuerService.keySet(request, options)
    case .openAIListModels: OpenAIService.listModels
    case .openAIGetModel: try OpenAIService.model(request.model ?? "")
    // What answers HEAD has no body.
    case .unknown: .html(status: 404, request.head.method == .HEAD ? "" : "<html><p>Error 404 (Not Found)!!1</html>\n")
    }
  }

  /// - Throws: the answer to a request without a good key, whose body is not looked at.
  private func checkKey(of request: ReceivedRequest) throws(HTTPAnswer) {
    let (place, isBad) = (request.credential.place, request.credential.isBad)
    var refusal: HTTPAnswer?
    if request.operation.isOpenAI {
      if options.isLocalServer, place == .none { return }
      if isBad { refusal = Fault.openAI(.invalidKey).errorAnswer() }
      if place != .bearer { refusal = .missingOpenAIKey }
    } else if ![.unknown, .geocode, .keySet].contains(request.operation) {
      if isBad { refusal = Fault.error(.keyInvalid).errorAnswer() }
      if place == .none { refusal = Fault.error(.unregisteredCaller).errorAnswer() }
      if place == .bearer { refusal = .noAccessToken }
    }
    if let refusal { throw refusal }
  }
}

extension HTTPAnswer {
  /// What Google says of a bearer token, which is OpenAI's way.
  fileprivate static let noAccessToken = HTTPAnswer.googleError(
    401,
    """
    Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid \
    authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.
    """,
    details: [
      [
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ACCESS_TOKEN_TYPE_UNSUPPORTED",
        "metadata": ["service": "generativelanguage.googleapis.com"],
      ]
    ])

  fileprivate static let missingOpenAIKey = HTTPAnswer.openAIError(
    401,
    """
    You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. \
    Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.
    """)
}
