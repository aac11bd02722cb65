import AtelierProtocol
import CurlHTTP
import GeminiSimulator
import JSON
import Synchronization
import Testing

@testable import Providers

@Suite("A conversation with a model", .timeLimit(.minutes(2)))
struct ConversationTests {
  static let function = FunctionDeclaration(
    name: "search_location", description: "Looks a place up.",
    parameters: [.init(name: "name", description: "The name."), .init(name: "location", description: "Where.")])

  static func request(
    _ messages: [TextMessage] = [.user("coffee in Austin")], mayCall: Bool = true, model: String? = nil,
    timeoutMs: Int = 60_000
  ) -> TextRequest {
    TextRequest(
      instructions: "Find places.", messages: messages, functions: [function], mayCall: mayCall, model: model,
      timeoutMs: timeoutMs)
  }

  /// Both providers over one simulator.
  private func withProviders(
    _ options: SimulatorOptions = SimulatorOptions(), key: String? = GeminiTest.key,
    _ body: ([any TextProvider], GeminiSimulator) async throws -> Void
  ) async throws {
    let simulator = try await GeminiSimulator.start(options)
    let client = CurlClient(CurlSettings(proxy: .none))
    var gemini = CloudSettings.gemini
    var openAI = OpenAISettings()
    gemini.baseURL = try #require(BaseURL(simulator.baseURL))
    openAI.cloud.baseURL = try #require(BaseURL("\(simulator.baseURL)/v1"))
    (gemini.stallLimitMs, openAI.cloud.stallLimitMs) = (1_000, 1_000)
    let providers: [any TextProvider] = [
      GeminiProvider(settings: gemini, http: client, keys: GivenKey(text: key)),
      OpenAIProvider(settings: openAI, http: client, keys: GivenKey(text: key)),
    ]
    do {
      try await body(providers, simulator)
    } catch {
      client.close()
      await simulator.stop()
      throw error
    }
    client.close()
    await simulator.stop()
  }

  /// Carries a conversation on to its end; every lookup finds the place.
  private func converse(with provider: any TextProvider, model: String? = nil) async throws -> [TextAnswer] {
    var messages: [TextMessage] = [.user("coffee in Austin")]
    var answers: [TextAnswer] = []
    repeat {
      let answer = try await provider.answer(Self.request(messages, model: model)) {}
      answers.append(answer)
      let results = answer.calls.map { call in
        FunctionResult(call: call, response: ["output": ["places": [["name": call.arguments?["name"] ?? .null]]]])
      }
      messages += [.model(answer.turn), .results(results)]
    } while !answers[answers.count - 1].calls.isEmpty
    return answers
  }

  @Test(
    "a conversation calls, takes the results of a turn together, and ends with words", arguments: [nil, "gemini-3.5-flash"])
  func wholeConversation(model: String?) async throws {
    try await withProviders { providers, simulator in
      for provider in providers where model == nil || provider.id == .gemini {
        let answers = try await converse(with: provider, model: model)
        #expect(answers.map(\.calls.count) == [3, 2, 0])
        #expect(answers[0].calls[0].arguments?["name"] == "Houndstooth Coffee")
        #expect(answers[2].text.contains("Figure 8"))
        #expect(answers.allSatisfy { $0.usage.inputTokens > 0 && $0.usage.outputTokens > 0 })
        #expect(answers.allSatisfy { $0.model == (model ?? provider.profile.textModels.first) })
        #expect((answers[0].usage.costUsd == nil) == (model != nil), "what has no price has no cost")
      }
      // A signature is part of the first call of a turn, and goes back as it came.
      if model != nil { #expect(simulator.requests.last?.facts?.turns == 5) }
    }
  }

  @Test("a conversation is refused without the results of its calls, or with a changed signature")
  func strictness() async throws {
    try await withProviders { providers, _ in
      for provider in providers {
        let first = try await provider.answer(Self.request()) {}
        await #expect(throws: AtelierError.self) {
          _ = try await provider.answer(Self.request([.user("x"), .model(first.turn), .user("y")])) {}
        }
      }
      let gemini = providers[0]
      let first = try await gemini.answer(Self.request(model: "gemini-3.5-flash")) {}
      let results = first.calls.map { FunctionResult(call: $0, response: ["output": [:]]) }
      let turn = first.turn.serializedText
      for changed in [
        turn.replacing("+//+", with: "+//A"), turn.replacing(#""thoughtSignature""#, with: #""thoughtsignature2""#),
      ] {
        let messages: [TextMessage] = [.user("x"), .model(try JSONValue(parsing: Array(changed.utf8))), .results(results)]
        await #expect(throws: AtelierError.self) {
          _ = try await gemini.answer(Self.request(messages, model: "gemini-3.5-flash")) {}
        }
      }
    }
  }

  @Test("a conversation answers in words when it may not call")
  func mayNotCall() async throws {
    try await withProviders { providers, _ in
      for provider in providers {
        let answer = try await provider.answer(Self.request(mayCall: false)) {}
        #expect(answer.calls.isEmpty && !answer.text.isEmpty)
      }
    }
  }

  /// Those that need somebody to let them go on, and those that only pictures have, are left out.
  static let faults: [Fault] = Fault.allCases.filter { fault in
    switch fault {
    case .error, .finish, .block, .openAI, .tool: true
    case .transport(let fault): ![.hold, .holdMidBody, .holdDuringUpload, .stallBeforeHead, .slowDrip].contains(fault)
    case .answer(let fault):
      [
        .noCandidates, .emptyCandidates, .noContent, .emptyContent, .noParts, .html, .notJSON, .truncatedJSON, .emptyBody,
        .deepJSON,
        .wrongTypes, .array, .unknownFields, .noUsage,
      ].contains(fault)
    case .stream: false
    }
  }

  @Test("a conversation ends with an answer or an error that says what to do, whatever comes", arguments: faults)
  func fault(fault: Fault) async throws {
    try await withProviders { providers, simulator in
      for provider in providers {
        simulator.always(ScenarioStep(fault))
        do {
          let answer = try await provider.answer(Self.request(timeoutMs: 5_000)) {}
          #expect(!answer.calls.isEmpty || !answer.text.isEmpty)
        } catch let error as AtelierError {
          #expect(error.kind != .internal && error.provider == provider.id && !error.message.isEmpty)
          #expect(!JSONValue.object(error.details).serializedText.contains(GeminiTest.key))
          #expect(!error.message.contains(/(?i)picture|photo|image/), "nobody asked for one: \(error.message)")
        }
      }
    }
  }

  @Test("a conversation has the errors of the API: quota by minute and day, blocked, key, offline")
  func errors() async throws {
    try await withProviders { providers, simulator in
      for (fault, kind, wait) in [
        (Fault.error(.quotaMinute), ErrorKind.rateLimited, 26_000), (.error(.quotaDay), .quotaExhausted, nil),
        (.error(.keyInvalid), .invalidApiKey, nil), (.block(.safety), .contentBlocked, nil),
        (.finish(.safety), .contentBlocked, nil), (.finish(.malformedFunctionCall), .providerError, nil),
      ] as [(Fault, ErrorKind, Int?)] {
        simulator.always(ScenarioStep(fault))
        let error = await #expect(throws: AtelierError.self) { _ = try await providers[0].answer(Self.request()) {} }
        #expect(error?.kind == kind, "\(fault.name)")
        if let wait { #expect(error?.retryAfterMs == wait) }
      }
      simulator.always(.success)
      await simulator.stop()
      for provider in providers {
        let told = Mutex(false)
        let error = await #expect(throws: AtelierError.self) {
          _ = try await provider.answer(Self.request()) { told.withLock { $0 = true } }
        }
        #expect(error?.kind == .offline && !told.withLock { $0 }, "nothing was sent")
      }
    }
  }

  @Test("a conversation needs no key from a compatible server on this machine, and one from Google")
  func keys() async throws {
    var options = SimulatorOptions()
    options.isLocalServer = true
    try await withProviders(options, key: nil) { providers, _ in
      let error = await #expect(throws: AtelierError.self) { _ = try await providers[0].answer(Self.request()) {} }
      #expect(error?.kind == .noApiKey)
      let answer = try await providers[1].answer(Self.request(model: "qwen3:8b")) {}
      #expect(answer.calls.count == 3)
    }
  }

  @Test("a conversation is cut off when its task is cancelled")
  func cancel() async throws {
    try await withProviders { providers, simulator in
      for (number, provider) in zip(1..., providers) {
        simulator.always(ScenarioStep(.transport(.hold)))
        let task = Task { try await provider.answer(Self.request()) {} }
        try await simulator.waitForRequest(number)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        try await simulator.waitForClose(of: number)
      }
    }
  }

  @Test(
    "a conversation has the error beside an answer that says nothing, but none beside one that says something",
    arguments: [
      (#"{"error":{"code":429,"message":"x"},"CHOICES":[]}"#, .rateLimited),
      (#"{"error":{"code":429,"message":"x"},"CHOICES":[{"index":0,"finish_reason":"stop","MESSAGE":{"role":"model"}}]}"#,
        .rateLimited),
      (#"[{"error":{"code":503,"message":"x"}}]"#, .providerUnavailable),
      (#"{"error":{"code":429,"message":"x"},"CHOICES":[{"MESSAGE":{"content":"a","parts":[{"text":"a"}]}}]}"#, nil),
      (#"{"error":null,"CHOICES":[{"index":0,"MESSAGE":{"role":"model"}}]}"#, .providerError),
    ] as [(String, ErrorKind?)])
  func errorBesideAnswer(body: String, kind: ErrorKind?) async throws {
    func server(_ choices: String, _ message: String) -> ScriptedServer {
      ScriptedServer(.json(body.replacing("CHOICES", with: choices).replacing("MESSAGE", with: message)))
    }
    let providers: [any TextProvider] = [
      GeminiProvider(http: server("candidates", "content"), keys: GivenKey(text: GeminiTest.key)),
      OpenAIProvider(http: server("choices", "message"), keys: GivenKey(text: GeminiTest.key)),
    ]
    for provider in providers {
      var error: AtelierError?
      do { _ = try await provider.answer(Self.request()) {} } catch let thrown as AtelierError { error = thrown }
      #expect(error?.kind == kind, "\(provider.id)")
    }
  }

  @Test("a conversation of compatible servers is read with arguments in either form")
  func lenient() throws {
    func message(_ calls: JSONValue) throws -> OpenAITextAnswer {
      try OpenAITextAnswer(["choices": [["message": ["role": "assistant", "tool_calls": calls]]]])
    }
    let calls = try message([
      ["id": "1", "function": ["name": "f", "arguments": "{\"a\":1}"]],
      ["function": ["name": "f", "arguments": ["a": 1]]], ["id": "3", "function": ["name": "f", "arguments": "{"]],
      ["id": "4", "function": ["name": "f", "arguments": ""]], "rubbish",
      ["function": ["name": "f", "arguments": .string("{\"a\":[\(String(repeating: "0,", count: 10_000))0]}")]],
    ]).answer(model: "m", prices: .defaults).calls
    #expect(calls.map(\.arguments) == [["a": 1], ["a": 1], nil, [:], nil, nil])
    for json in [[:], ["choices": []], ["choices": [["message": ["content": " "]]]], 7] as [JSONValue] {
      #expect(throws: AtelierError.self) { _ = try OpenAITextAnswer(json) }
    }
  }
}
