import AtelierProtocol
import Glibc
import JSON
import POSIX
import Support
import Synchronization

@testable import AtelierClient

/// A service that plays a part, at the other end of a pair of pipes: what it does is told by the prompt of a request.
final class ScriptedPeer: Sendable {
  /// More progress than is kept.
  static let muchProgress = 300

  /// What it was sent, in order.
  let received = SharedState<[JSONValue]>([])
  /// The descriptors for the client.
  let service: Studio.Options.Service
  private let input: Descriptor
  private let output: Descriptor
  /// The generations that wait for a cancel, by the id of their request.
  private let waiting = Mutex<[JSONValue: GenerationID]>([:])
  /// The generations that were cancelled.
  private let cancelled = Mutex<Set<GenerationID>>([])
  /// Whether preparations are never answered.
  let holdsPreparations = SharedState(false)
  private let gate: Gate?
  private let writing = Mutex(())

  /// - Parameters:
  ///   - isReading: false for a peer that reads nothing until ``startReading()``.
  ///   - isGreeting: false for a peer that never answers `initialize`.
  init(isReading: Bool = true, isGreeting: Bool = true) throws {
    // A client that is gone must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    let requests = try PipeEnds()
    let answers = try PipeEnds()
    service = .descriptors(input: try answers.reading.raised().released(), output: try requests.writing.raised().released())
    input = Descriptor(requests.intoReading().released())
    output = Descriptor(answers.intoWriting().released())
    gate = isReading ? nil : Gate()
    try DedicatedThread.start { [self, gate] in
      gate?.wait()
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while let count = try? BlockingIO.readSome(into: &buffer, from: input.number), count > 0 {
        // Only what is new is searched: a line may come in many pieces.
        var rest = buffer[..<count]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          bytes += rest[..<end]
          receive(bytes, isGreeting)
          bytes = []
          rest = rest[(end + 1)...]
        }
        bytes += rest
      }
      close()
    }
  }

  func startReading() { gate?.open() }

  /// A studio that talks to it.
  func studio(_ change: (inout Studio.Options) -> Void = { _ in }) async throws -> Studio {
    var options = Studio.Options()
    options.service = service
    change(&options)
    return try await Studio(options)
  }

  func send(_ message: JSONValue) { write(message.serialized() + [UInt8(ascii: "\n")]) }

  /// Writes bytes as they are; what nobody reads any more is lost.
  func write(_ bytes: [UInt8]) {
    writing.withLock { _ in _ = try? BlockingIO.write(bytes, to: output.number) }
  }

  /// Ends its output.
  func close() { output.closeEarly() }

  func answer(_ id: JSONValue, _ result: JSONValue) { send(["jsonrpc": "2.0", "id": id, "result": result]) }

  func refuse(_ id: JSONValue, code: Int, _ message: String, _ data: JSONObject) {
    send([
      "jsonrpc": "2.0", "id": id,
      "error": ["code": .number(JSONNumber(code)), "message": .string(message), "data": .object(data)],
    ])
  }

  func notify(_ method: String, _ params: JSONValue) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// The methods that it was sent, in order.
  var methods: [String] { received.value.compactMap { $0["method"]?.string } }

  /// The number of generations that are neither ended nor cancelled.
  var waitingCount: Int { waiting.withLock { $0.count } }

  /// The params of the first request of a method, once it has come.
  func params(of method: String) async throws -> JSONValue {
    let all = try await received.wait { $0.contains { $0["method"]?.string == method } }
    return all.first { $0["method"]?.string == method }?["params"] ?? .null
  }

  // MARK: The part

  private func receive(_ line: [UInt8], _ isGreeting: Bool) {
    guard let message = try? JSONValue(parsing: line) else { return }
    received.change { $0.append(message) }
    let params = message["params"] ?? [:]
    if let method = message["method"]?.string {
      switch (method, message["id"]) {
      case ("initialize", let id?): if isGreeting { answer(id, Sample.greeting) }
      case ("ping", let id?): answer(id, [:])
      case ("shutdown", let id?): answer(id, .null)
      case ("generate", let id?), ("regenerate", let id?): generate(id, params)
      case ("generation/watch", let id?): watch(id, params)
      case ("cancel", let id?): cancel(id, params)
      case ("image/prepare", let id?): if !holdsPreparations.value { answer(id, Sample.prepared) }
      case ("$/cancelRequest", nil): withdraw(params["id"] ?? .null)
      case ("exit", nil): close()
      case (_, let id?):
        if method != "hold" { refuse(id, code: -32601, "There is no method \(method).", ["kind": "method_not_found"]) }
      default: break
      }
    }
  }

  private func generate(_ id: JSONValue, _ params: JSONValue) {
    let generation = Sample.generationID(id)
    let prompt = params["prompt"]?.string ?? ""
    switch prompt {
    case "until cancelled":
      let isDetached = params["detach"] == true
      // Once it is answered, a request can no longer be cancelled.
      waiting.withLock { $0[isDetached ? ["answered": id] : id] = generation }
      if isDetached { answer(id, Sample.generation(generation, .queued)) }
      notify("generation/progress", Sample.progress(generation, id, 1))
    case "late acceptance": waiting.withLock { $0[id] = generation }
    case "fail":
      notify("generation/progress", Sample.progress(generation, id, 1))
      refuse(id, code: 429, "Too many requests.", [
        "kind": "rate_limited", "retryable": true, "retryAfterMs": 1500, "generationId": .string(generation.rawValue),
        "details": ["scope": "minute"],
      ])
    case "a new kind":
      refuse(id, code: 418, "I am a teapot.", ["kind": "teapot", "retryable": true, "retryAfterMs": 7, "details": [:]])
    case "nonsense": answer(id, ["generationId": 7])
    case "garbage": write(Array("this is no message\n".utf8))
    case "end of output": close()
    case "much progress":
      for number in 1...Self.muchProgress { notify("generation/progress", Sample.progress(generation, id, Int64(number))) }
      answer(id, Sample.generation(generation, .succeeded))
    case "fail later":
      answer(id, Sample.generation(generation, .queued))
      notify("generation/finished", Sample.generation(generation, .failed, failing: true))
    case "told to others":
      answer(id, Sample.generation(generation, .queued))
    default:
      if params["detach"] == true, prompt != "ended before" {
        answer(id, Sample.generation(generation, .queued))
        notify("generation/progress", Sample.progress(generation, id, 1))
        notify("generation/finished", Sample.generation(generation, .succeeded))
      } else {
        for number in [1, 2, 2, 3] { notify("generation/progress", Sample.progress(generation, id, Int64(number))) }
        answer(id, Sample.generation(generation, .succeeded))
      }
    }
  }

  private func watch(_ id: JSONValue, _ params: JSONValue) {
    let generation = GenerationID(rawValue: params["generationId"]?.string ?? "")
    switch generation.rawValue {
    case "gen_failed": answer(id, Sample.generation(generation, .failed, failing: true))
    case "gen_running":
      waiting.withLock { $0[id] = generation }
      notify("generation/progress", Sample.progress(generation, id, 5))
    default:
      // Of a generation of this peer, only those that are cancelled end.
      if waiting.withLock({ $0.values.contains(generation) }) {
        waiting.withLock { $0[id] = generation }
      } else {
        let isCancelled = cancelled.withLock { $0.contains(generation) }
        answer(id, Sample.generation(generation, isCancelled ? .cancelled : .succeeded))
      }
    }
  }

  private func withdraw(_ id: JSONValue) {
    guard let generation = waiting.withLock({ $0.removeValue(forKey: id) }) else { return }
    let isWatch = received.value.contains { $0["id"] == id && $0["method"] == "generation/watch" }
    if isWatch { return refuse(id, code: -32800, "The request was cancelled.", ["kind": "request_cancelled"]) }
    answer(id, Sample.generation(generation, .cancelled))
  }

  private func cancel(_ id: JSONValue, _ params: JSONValue) {
    let generation = GenerationID(rawValue: params["generationId"]?.string ?? "")
    cancelled.withLock { _ = $0.insert(generation) }
    let ended = waiting.withLock { waiting in
      let ended = waiting.filter { $0.value == generation }.keys
      for request in ended { waiting[request] = nil }
      return Array(ended)
    }
    answer(id, Sample.generation(generation, .cancelled))
    for request in ended {
      let isWatch = received.value.contains { $0["id"] == request && $0["method"] == "generation/watch" }
      if isWatch { answer(request, Sample.generation(generation, .cancelled)) }
    }
    notify("generation/finished", Sample.generation(generation, .cancelled))
  }
}

/// Opens once.
final class Gate: Sendable {
  private let state = Monitor(false)

  func open() {
    state.withLock { $0 = true }
    state.wakeAll()
  }

  /// Blocks the thread until it is open.
  func wait() { state.wait { $0 ? () : nil } }
}

/// Values of the protocol that a peer sends.
enum Sample {
  static let time = Timestamp(milliseconds: 1_795_238_400_000)

  static func generationID(_ request: JSONValue) -> GenerationID { GenerationID(rawValue: "gen_\(request.serializedText)") }

  static let greeting: JSONValue = json(
    Initialize.Result(
      serverInfo: Initialize.ServerInfo(name: "atelier", version: "9"),
      capabilities: Initialize.ServerCapabilities(recipes: [.create]),
      limits: Initialize.Limits(maxMessageBytes: 2_000_000, maxImageBytes: 7_000_000, maxInFlight: 1024),
      providers: ["gemini"]))

  static let prepared: JSONValue = json(
    ImagePrepare.Result(
      data: "c21hbGw=", width: 4096, height: 3072, bytes: 5, mimeType: "image/jpeg",
      original: ImagePrepare.Original(width: 8064, height: 6048, bytes: 9_000_000, mimeType: "image/jpeg"), changes: []))

  static func generation(_ id: GenerationID, _ state: GenerationState, failing: Bool = false) -> JSONValue {
    let image = GeneratedImage(
      index: 0, path: "/pictures/\(id).jpg", mimeType: "image/jpeg", width: 2, height: 3, bytes: 4, sha256: "00")
    var generation = Generation(
      generationId: id, state: state, recipe: .create, account: .owner, createdAt: time,
      images: state == .succeeded ? [image] : [])
    if failing { generation.error = AtelierError(.providerError).body(at: time) }
    var members = json(generation).object ?? [:]
    // A newer service says more.
    members["futureMember"] = ["deep": [1]]
    return .object(members)
  }

  static func progress(_ id: GenerationID, _ request: JSONValue, _ sequence: Int64) -> JSONValue {
    json(
      GenerationProgress(
        generationId: id, requestId: request, sequence: sequence, state: .running, phase: .processing, message: "At it…",
        overall: 0.5, elapsedMs: sequence))
  }

  static func json(_ value: some Encodable) -> JSONValue { (try? JSONValueEncoder().encode(value)) ?? .null }
}

/// A request that the peer never answers.
struct Hold: RequestMessage {
  static let method = "hold"
  struct Result: Codable, Sendable, Equatable {}
}

extension Generate {
  /// A picture of the peer's.
  static func create(_ prompt: String, detach: Bool? = nil) -> Generate {
    Generate(recipe: .create, prompt: prompt, detach: detach)
  }
}

/// What `body` throws, if it is an `AtelierError`.
func failure<Value>(_ body: () async throws -> Value) async -> AtelierError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? AtelierError
  }
}

/// Whether `body` throws `CancellationError`.
func isCancelled<Value>(_ body: () async throws -> Value) async -> Bool {
  do {
    _ = try await body()
    return false
  } catch {
    return error is CancellationError
  }
}
