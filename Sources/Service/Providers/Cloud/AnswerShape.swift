import AtelierProtocol
import JSON

/// What an answer with a success status is where it is not of the form that was asked for. The address or the model is
/// wrong then: the same request would be paid for again and bring the same.
enum AnswerShape: String, CaseIterable, Sendable {
  /// A page for a browser: of a login, or of a website at this address.
  case page
  case words
  case list
  /// Work that is not done yet, to be asked for later.
  case task
  case chatCompletion = "chat_completion"
  case geminiAnswer = "gemini_answer"
  case responsesAnswer = "responses_answer"
  /// Pictures, or what stands for them, in members that are not known.
  case otherPictures = "other_pictures"

  /// What the operator is told it is.
  var words: String {
    switch self {
    case .page: "a web page"
    case .words: "words that are no JSON"
    case .list: "a list"
    case .task: "a task whose result comes later"
    case .chatCompletion: "a chat completion"
    case .geminiAnswer: "an answer of Google's API"
    case .responsesAnswer: "an answer of OpenAI's Responses API"
    case .otherPictures: "pictures in a form of its own"
    }
  }

  /// - Parameter status: the HTTP status.
  /// - Returns: nil for an answer that may be of the form that was asked for, with nothing in it.
  init?(_ json: JSONValue, status: Int = 200) {
    if json.array != nil {
      self = .list
    } else if Self.isTask(json) || status == 202 {
      self = .task
    } else if json["choices"]?.isStated == true || json["object"]?.string?.hasPrefix("chat.completion") == true {
      self = .chatCompletion
    } else if json["candidates"]?.isStated == true {
      self = .geminiAnswer
    } else if json["object"]?.string == "response" || json["output"]?.array?.contains(where: { $0["type"] != nil }) == true {
      self = .responsesAnswer
    } else if json["object"]?.string == "list" || json["models"]?.isStated == true {
      self = .list
    } else if ServerRefusal.states(Self.membersOfPictures, in: json) {
      self = .otherPictures
    } else {
      return nil
    }
  }

  /// - Parameter body: a body that is no JSON.
  /// - Returns: nil for nothing, and for JSON that is cut off or no object.
  init?(text body: [UInt8]) {
    let text = String(decoding: body.drop { [0xef, 0xbb, 0xbf].contains($0) }.prefix(65_536), as: UTF8.self).trimmed
    if MarkupText(text) != nil {
      self = .page
    } else if let first = text.first, !"{[\"-0123456789".contains(first), !["null", "true", "false"].contains(text) {
      self = .words
    } else {
      return nil
    }
  }

  private static let membersOfPictures = [
    "images", "image", "artifacts", "predictions", "result", "results", "output", "outputs",
  ]
  private static let membersOfTasks = ["task_id", "taskId", "status_url", "polling_url", "task", "job_id", "jobId"]
  private static let unfinished: Set<String> = [
    "queued", "pending", "processing", "in_queue", "in_progress", "starting", "running", "submitted", "waiting", "not_start",
    "accepted",
  ]

  private static func isTask(_ json: JSONValue) -> Bool {
    let parts = [json, json["output"], json["data"], json["result"]].compactMap(\.self)
    return parts.flatMap { $0.array ?? [$0] }.contains { part in
      guard part.object != nil else { return false }
      let state = part["status"]?.statedText ?? part["task_status"]?.statedText ?? part["state"]?.statedText
      return ServerRefusal.states(membersOfTasks, in: part) || state.map { unfinished.contains($0.lowercased()) } == true
    }
  }
}

extension AtelierError {
  /// The error for an answer of the form that was asked for, with nothing in it. Other words of the prompt do not help, and
  /// what was done for it may be charged.
  static func emptyAnswer(from provider: ProviderID) -> AtelierError {
    AtelierError(
      .noImageReturned,
      "The provider's answer has no picture in it, but may be charged. Please choose another model or provider.",
      hint: "The server's answer has nothing where a picture belongs: check the base URL and the model.",
      provider: provider, details: ["reason": "no_image", "mayHaveBeenCharged": true])
  }

  /// The error for an answer of another form.
  /// - Parameter status: the HTTP status.
  static func unexpectedAnswer(_ shape: AnswerShape, status: Int, from provider: ProviderID) -> AtelierError {
    AtelierError(
      .providerError, "The provider sent an answer of another kind. Please choose another model or provider.",
      hint: "The server answered with \(shape.words): check the base URL, and whether the model makes what is asked of it.",
      provider: provider,
      details: [
        "reason": "unexpected_answer", "answer": .string(shape.rawValue), "httpStatus": .number(JSONNumber(status)),
        "mayHaveBeenCharged": true,
      ],
      retryable: false)
  }
}
