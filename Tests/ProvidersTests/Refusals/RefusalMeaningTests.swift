import AtelierProtocol
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("What a refusal means, whoever words it")
struct RefusalMeaningTests {
  @Test("refusals that were reported can all be read, and are of many programs")
  func corpus() {
    #expect(ReportedRefusal.entries.allSatisfy { $0 != nil })
    #expect(ReportedRefusal.all.count >= 100 && Set(ReportedRefusal.all.map(\.program)).count >= 35)
    #expect(Set(ReportedRefusal.all.map(\.meaning)) == Set(RefusalMeaning.allCases))
  }

  @Test("a refusal that was reported means what it meant where it was reported", arguments: ReportedRefusal.all)
  func reported(refusal: ReportedRefusal) async throws {
    if refusal.meaning == .field {
      let failure = ServerRefusal(HTTPResponse(status: refusal.status, headers: [], body: refusal.body))
      #expect(failure.objection(to: OpenAIField.allCases, prompt: "a lighthouse") == .responseFormat)
      return
    }
    let doors = refusal.isGemini ? [RefusalDoor.geminiImage, .geminiWords] : [.generations, .edits, .chat]
    // A size is asked of pictures alone.
    for door in doors where refusal.meaning != .size || door != .chat {
      let error = try await door.error(status: refusal.status, body: refusal.body)
      refusal.meaning.check(error, "\(door): \(error)")
      if let delay = refusal.retryAfterMs { #expect(error.retryAfterMs == delay, "\(door)") }
    }
  }

  /// Forms of other servers, whose words are ours.
  static let others: [(status: Int, body: String, meaning: RefusalMeaning)] = [
    (
      400,
      #"{"error": {"message": "Authentication Error - Expired Key. It ended on 2025-01-01.", "type": "#
        + #""expired_key", "param": "key", "code": "400"}}"#, .key
    ),
    (
      500,
      #"{"error": {"message": "litellm.InternalServerError: AuthenticationError: OpenAIException - Incorrect API "#
        + #"key provided.", "type": null, "param": null, "code": "500"}}"#, .key
    ),
    (
      400,
      #"{"code": "Client specified an invalid argument", "error": "Generated image rejected by content moderation."}"#, .blocked
    ),
    (400, #"{"error": {"message": "some/model is not a valid model ID", "code": 400}}"#, .model),
    (400, #"{"error": {"message": "检测到敏感词，请求被拒绝", "type": "new_api_error", "code": "sensitive_words_detected"}}"#, .blocked),
    (
      400,
      #"{"error": {"code": "InputTextSensitiveContentDetected", "message": "The input text may not be used.", "#
        + #""param": "", "type": "BadRequest"}}"#, .blocked
    ),
    (
      400,
      #"{"error": {"code": "OutputImageSensitiveContentDetected", "message": "The output image may not be "#
        + #"shown.", "param": "", "type": "BadRequest"}}"#, .blocked
    ),
    (
      429,
      #"{"error": {"code": "SetLimitExceeded", "message": "The account has reached the inference limit that was "#
        + #"set for the model, which is paused.", "type": "TooManyRequests"}}"#, .limit
    ),
    (
      400,
      #"{"error": {"code": "1301", "message": "输入或生成内容可能不当"}, "contentFilter": [{"level": 1, "role": "user"}]}"#, .blocked
    ),
    (
      422,
      #"{"id": "x", "error": {"message": "The prompt was refused", "type": "invalid_request_error", "param": "#
        + #""prompt", "code": "nsfw_content"}}"#, .blocked
    ),
    (403, #"{"error":{"message":"该令牌无权访问模型 x","type":"new_api_error"}}"#, .model),
    (200, #"{"base_resp":{"status_code":1004,"status_msg":"login fail"}}"#, .key),
  ]

  @Test("a refusal of the key, the model or the safety rules is understood whoever words it", arguments: others.indices)
  func otherServers(index: Int) async throws {
    let (status, body, meaning) = Self.others[index]
    for door in [RefusalDoor.generations, .edits, .chat] {
      let error = try await door.error(status: status, body: Array(body.utf8))
      meaning.check(error, "\(door): \(error)")
    }
  }

  /// Words for each meaning; none is told by its status.
  static let sentences: [(String, RefusalMeaning)] = [
    ("Insufficient balance", .credit), ("Your credit balance is too low.", .credit), ("Payment required", .credit),
    ("The account is in arrears.", .credit), ("Your prepaid funds have run out", .credit),
    ("You are out of credits!", .credit),
    ("No credits remaining, please upgrade", .credit), ("余额不足", .credit), ("您的额度已用尽，请联系管理员", .credit),
    ("账号已欠费", .credit), ("クレジットが不足しています", .credit), ("잔액이 부족합니다", .credit), ("Saldo insuficiente", .credit),
    ("Solde insuffisant", .credit), ("Ihr Guthaben ist aufgebraucht", .credit), ("Недостаточно средств", .credit),
    ("Spending limit reached", .limit), ("The monthly budget of this project has been exceeded", .limit),
    ("Team is over its spend cap", .limit),
  ]

  @Test(
    "a lack of money is understood from every door, in every form and with every status", arguments: RefusalDoor.allCases,
    RefusalForm.allCases)
  func everywhere(door: RefusalDoor, form: RefusalForm) async throws {
    for (sentence, meaning) in Self.sentences {
      for status in [400, 401, 402, 403, 409, 412, 422, 429, 500, 502, 503] {
        if status == 402, meaning == .limit { continue }
        let error = try await door.error(status: status, body: form.body(sentence))
        meaning.check(error, "\(status) \(sentence): \(error)")
      }
    }
  }

  @Test(
    "a lack of money is understood in an answer with a success status", arguments: RefusalDoor.allCases,
    RefusalForm.allCases.filter(\.isErrorInAnswer))
  func inAnswer(door: RefusalDoor, form: RefusalForm) async throws {
    // The geocoder answers with a list.
    if door == .geocoder { return }
    for (sentence, meaning) in Self.sentences {
      let error = try await door.error(status: 200, body: form.body(sentence))
      meaning.check(error, "\(sentence): \(error)")
    }
  }

  @Test(
    "a lack of money is understood in the event that ends a stream",
    arguments: RefusalForm.allCases.filter(\.isErrorInAnswer))
  func inStream(form: RefusalForm) async throws {
    for (sentence, meaning) in Self.sentences {
      let body = String(decoding: form.body(sentence), as: UTF8.self)
      for event in ["event: error\ndata: \(body)\n\n", "data: \(body)\n\ndata: [DONE]\n\n", "data: \(body)"] {
        let error = try await RefusalDoor.generations.error(status: 200, body: Array(event.utf8))
        meaning.check(error, "\(sentence): \(error)")
      }
    }
  }

  @Test(
    "a limit that time restores stays one from every door and in every form, and tells when",
    arguments: RefusalDoor.allCases, RefusalForm.allCases)
  func time(door: RefusalDoor, form: RefusalForm) async throws {
    for (sentence, milliseconds) in [
      ("Rate limit reached. Please wait 25924 seconds before retrying.", 25_924_000),
      ("Too many requests: the limit resets in ~1m30s", 90_000), ("Quota exceeded, please retry in 2.5 seconds.", 2_500),
      ("You exceeded your current quota, please check your plan and billing details. Please retry in 45.5s.", 45_500),
      ("You can increase your rate limit by adding a payment method. Try again in 20s.", 20_000),
      ("Your rate limit is reduced while you have less than $5.0 in credit. It resets in ~5s.", 5_000),
    ] {
      let error = try await door.error(status: 429, body: form.body(sentence))
      RefusalMeaning.rate.check(error, "\(sentence): \(error)")
      #expect(error.retryAfterMs == milliseconds, "\(sentence)")
    }
  }

  @Test("a limit of a day is told apart from that of a minute behind every door", arguments: RefusalDoor.allCases)
  func day(door: RefusalDoor) async throws {
    if door == .geocoder { return }
    for form in RefusalForm.allCases {
      for sentence in ["Limit of 200 requests per day reached", "Your daily quota is used up", "今日额度已用完"] {
        RefusalMeaning.day.check(try await door.error(status: 429, body: form.body(sentence)), "\(form) \(sentence)")
      }
      for sentence in ["Limit of 5 requests per minute reached", "每分钟请求额度已用完"] {
        RefusalMeaning.rate.check(try await door.error(status: 429, body: form.body(sentence)), "\(form) \(sentence)")
      }
    }
  }

  @Test("words about money that are about something else mean what their status says", arguments: [
    "The white balance of this picture is too low.", "Use a credit card with an empty background instead.",
    "The thinking budget has been exceeded.", "This token budget is exhausted.",
    "Invalid prompt: movie credits that ran out.",
    "If your balance is insufficient, requests may be refused.", "Blocked by the filter; no credits were used.",
    "Invalid value: quota must be a number.", "The balance sheet is missing.",
    "Your safety quota of warnings is noted.",
    "See your plan and billing for other models.", "Purchase credits to see more.", "Load balancer has an empty pool.",
    "When the spending limit is reached, requests fail.",
  ])
  func falseFriends(sentence: String) async throws {
    for form in RefusalForm.allCases {
      for door in RefusalDoor.allCases {
        for status in [400, 403, 422, 429, 500] {
          let error = try await door.error(status: status, body: form.body(sentence))
          #expect(error.kind != .quotaExhausted, "\(door) \(form) \(status)")
        }
      }
    }
  }

  @Test("a prompt that a refusal quotes says nothing about money", arguments: RefusalDoor.allCases)
  func quoted(door: RefusalDoor) async throws {
    let prompt = "a poster that says insufficient balance, out of credits and spending limit reached"
    for sentence in ["Invalid prompt: “\(prompt)”", "The prompt '\(prompt.dropLast(10))…' is not allowed", prompt] {
      for form in RefusalForm.allCases {
        let error = try await door.error(status: 400, body: form.body(sentence), prompt: prompt)
        #expect(error.kind != .quotaExhausted, "\(form) \(sentence)")
      }
    }
  }

  @Test("a prompt that a refusal quotes is no refusal by the safety rules, and its own words are none either", arguments: [
    RefusalDoor.generations, .edits, .chat, .geminiImage, .geminiWords,
  ])
  func quotedContent(door: RefusalDoor) async throws {
    let prompt = "a poster on content moderation"
    for form in RefusalForm.allCases {
      let quoted = try await door.error(
        status: 400, body: form.body("Invalid size for the prompt “\(prompt)”."), prompt: prompt)
      #expect(quoted.kind != .contentBlocked, "\(form)")
      let refused = try await door.error(
        status: 400, body: form.body("Rejected by content moderation: “\(prompt)”."), prompt: prompt)
      #expect(refused.kind == .contentBlocked, "\(form)")
    }
    let outage = RefusalForm.allCases.map { $0.body("The content filter container is restarting.") }
    for body in outage { #expect(try await door.error(status: 503, body: body).kind != .contentBlocked) }
  }

  @Test("the safety rules refuse a request, whatever they say of quotas and credits", arguments: [
    RefusalDoor.generations, .edits, .chat, .geminiImage, .geminiWords,
  ])
  func safety(door: RefusalDoor) async throws {
    for sentence in [
      "Your request was rejected by the safety system. It counts towards your quota, and credits are exhausted by it.",
      "Refused under our content policy: you are out of credits for violations.",
    ] {
      for form in RefusalForm.allCases {
        let error = try await door.error(status: 400, body: form.body(sentence))
        #expect(error.kind == .contentBlocked, "\(form) \(sentence)")
      }
    }
    let body = #"{"error":{"code":"moderation_blocked","message":"insufficient balance"}}"#
    #expect(try await door.error(status: 400, body: Array(body.utf8)).kind == .contentBlocked)
  }

  @Test("a request that was handed over is not sent again when its exchange is lost", arguments: [
    RefusalDoor.generations, .edits, .chat, .geminiImage, .geminiWords,
  ], RefusalForm.allCases)
  func lost(door: RefusalDoor, form: RefusalForm) async throws {
    for status in [500, 502, 503, 520, 529] {
      for sentence in [
        "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
        "upstream connect error or disconnect/reset before headers. reset reason: remote reset",
        "upstream closed while reading the head of the response", "The server disconnected: broken pipe",
        "Timeout: the upstream timed out after 60 seconds", "read: connection reset by peer",
      ] {
        let error = try await door.error(status: status, body: form.body(sentence))
        #expect([.providerError, .providerTimeout].contains(error.kind), "\(status) \(sentence): \(error)")
        #expect(error.details["mayHaveBeenCharged"] == true && !error.isRefusedUnprocessed, "\(status) \(sentence)")
      }
      for sentence in [
        "no healthy upstream", "This model has high demand right now, requests may see a timeout.", "Service overloaded",
        "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure",
        "upstream connect error or disconnect/reset before headers. reset reason: overflow", "connect: connection refused",
        "Please try again later",
      ] {
        let error = try await door.error(status: status, body: form.body(sentence))
        #expect(error.details["mayHaveBeenCharged"] == nil, "\(status) \(sentence): \(error)")
        #expect(error.isRefusedUnprocessed == [503, 529].contains(status) || door.isOfGemini, "\(status) \(sentence)")
      }
    }
  }

  @Test("a refusal that no time lifts never says to try again later", arguments: [
    RefusalDoor.generations, .edits, .chat, .geminiImage, .geminiWords,
  ])
  func finalSentences(door: RefusalDoor) async throws {
    for status in [300, 301, 302, 307, 308, 400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 451, 501] {
      for body in ["", "<html>x</html>", #"{"error":{"message":"x"}}"#, #"{"error":{"message":"Enable billing"}}"#] {
        let error = try await door.error(status: status, body: Array(body.utf8))
        let isFinal = !error.isRetryable || error.retryable == false
        #expect(!isFinal || !error.message.contains("temporarily unavailable"), "\(status) \(body): \(error)")
      }
    }
  }

  @Test("a request that is too long or has an unknown part is no fault of the photo", arguments: [400, 422, 500])
  func notThePhoto(status: Int) async throws {
    for form in RefusalForm.allCases where form != .page {
      for sentence in ["Request body too large for the model.", "Request payload size exceeds the limit: 20971520 bytes."] {
        for door in [RefusalDoor.edits, .generations, .geminiImage] {
          let error = try await door.error(status: status, body: form.body(sentence))
          #expect(error.details["reason"] == "request_too_large", "\(door) \(form) \(sentence): \(error)")
        }
      }
      let unknown = try await RefusalDoor.edits.error(status: status, body: form.body("Unknown parameter: 'quality'."))
      #expect(unknown.kind == .wrongRecipeInput, "\(form): \(unknown)")
    }
    let modality = "Model does not support the requested response modalities: image,text"
    let error = try await RefusalDoor.geminiImage.error(status: 400, body: RefusalForm.error.body(modality))
    #expect(error.kind == .unsupportedByProvider)
  }

  @Test("words of a prompt that a refusal quotes are none of the key or the model")
  func quotedKey() async throws {
    let prompt = "a sign that says invalid api key and unknown model"
    for door in [RefusalDoor.generations, .geminiImage] {
      let body = RefusalForm.error.body("Invalid prompt: “\(prompt)”")
      let error = try await door.error(status: 400, body: body, prompt: prompt)
      #expect(error.kind == .wrongRecipeInput, "\(error)")
    }
  }

  @Test("the calls of a day that a gateway counts are a limit of time")
  func callsOfADay() async throws {
    let sentence = "Out of call volume quota. Quota will be replenished in 23:53:20."
    let error = try await RefusalDoor.generations.error(status: 403, body: RefusalForm.message.body(sentence))
    #expect(error.kind == .rateLimited && error.retryAfterMs == 86_000_000)
  }

  @Test("a failure over the request is no outage, and says what to change", arguments: [500, 502, 503], RefusalForm.allCases)
  func request(status: Int, form: RefusalForm) async throws {
    for sentence in ["Invalid size '512x512'.", "size must be one of 1024x1024, auto", "The size 17x17 is not supported"] {
      for door in [RefusalDoor.generations, .edits] {
        let error = try await door.error(status: status, body: form.body(sentence))
        RefusalMeaning.size.check(error, "\(door) \(sentence)")
        #expect(!error.isRetryable && error.retryAfterMs == nil)
      }
    }
    for door in [RefusalDoor.generations, .chat, .geminiImage, .geminiWords] {
      let error = try await door.error(status: status, body: form.body("Invalid value: quality"))
      #expect(error.kind == .wrongRecipeInput && !error.isRetryable, "\(door)")
      for outage in ["The server had an error", "file size cache is busy", "Service overloaded"] {
        #expect(try await door.error(status: status, body: form.body(outage)).isRetryable, "\(door) \(outage)")
      }
    }
  }
}

extension AtelierError {
  /// Whether the same is sent again at once.
  fileprivate var isRefusedUnprocessed: Bool {
    kind.consequences.isSentAgain && isRetryable && details["mayHaveBeenCharged"] != true
  }
}

extension RefusalDoor {
  fileprivate var isOfGemini: Bool { self == .geminiImage || self == .geminiWords }
}
