import AtelierProtocol
import CurlHTTP
import JSON

/// What a server reports about a failed request, in any of these forms, and wrapped by gateways once more:
/// `{"error": {"message", "type", "param", "code"}}`, `{"error": "…"}`, `{"detail": "…"}`, `{"message": "…"}`,
/// `{"detail": [{"loc", "msg"}]}`, one of these in an array or in a text, words alone, an HTML page, or nothing.
struct ServerRefusal: Error, Sendable {
  /// The HTTP status; for an error inside a successful response, the status that the error states, or 500.
  private(set) var status: Int
  /// Whether the response had a success status, so that its work may have been done and paid for.
  let isInAnswer: Bool
  /// Whether that response counts or shows work, which is charged.
  let hasCost: Bool
  let headers: [HTTPHeader]
  /// The outermost message; empty for a page, whose words are for people who look at a website.
  private(set) var message = ""
  private(set) var type = ""
  private(set) var param = ""
  private(set) var code = ""
  /// Every code, type and reason of the error and of those that it wraps, as they are written.
  private(set) var codes: [String] = []
  /// Every message and every text beside them, as they are written.
  private(set) var sentences: [String] = []
  /// Whether the body is a page for a browser.
  private(set) var isPage = false
  /// What Google says of a quota, behind any server.
  private(set) var quota: GeminiErrorBody?
  /// What Google gives as the reason, behind any server.
  private(set) var googleReason: GeminiErrorReason?
  /// The delay that a member of the error states.
  private(set) var memberDelay: RetryDelay?
  /// The status that the error itself states.
  private(set) var statedStatus: Int?

  init(_ response: HTTPResponse) {
    status = response.status
    (isInAnswer, hasCost) = (false, false)
    headers = response.headers
    if let json = try? JSONValue(parsing: response.body.span, maximumValues: Self.mostValues) {
      read(json, depth: 0)
    } else {
      read(body: String(decoding: response.body.prefix(Self.mostBytesOfText), as: UTF8.self))
    }
  }

  /// An error inside a response with a success status, such as the last event of a stream.
  /// - Parameter hasBegun: whether unfinished pictures came before it.
  init(inAnswer json: JSONValue, headers: [HTTPHeader] = [], hasBegun: Bool = false) {
    status = 500
    let usage = json["usage"]
    let tokens = [usage?["output_tokens"], usage?["completion_tokens"]].compactMap { $0?.int64 }
    (isInAnswer, hasCost) = (true, hasBegun || json["choices"]?.isStated == true || tokens.contains { $0 > 0 })
    self.headers = headers
    read(json, depth: 0)
    status = statedStatus ?? statusOfNames
  }

  /// ``codes`` in lower case.
  var names: Set<String> { Set(codes.map { $0.lowercased() }) }

  /// The status that usually accompanies an error of these names.
  private var statusOfNames: Int {
    let names = names
    let statuses: [(Int, Set<String>)] = [
      (401, ["invalid_api_key", "authentication_error"]),
      (429, ["rate_limit_exceeded", "insufficient_quota", "rate_limit_error"]),
      (400, ["invalid_request_error", "image_generation_user_error", "moderation_blocked"]),
    ]
    return statuses.first { !$0.1.isDisjoint(with: names) }?.0
      ?? names.compactMap { GeminiErrorBody.httpStatus(of: $0.uppercased()) }.min() ?? 500
  }

  func header(_ name: String) -> String? { headers.value(of: name) }

  /// The delay that the error itself states, in a member or in words.
  var statedDelay: RetryDelay? { memberDelay ?? sentences.lazy.compactMap { RetryDelay(inMessage: $0) }.first }

  /// Whether the server says when it can be asked again.
  var statesDelay: Bool { headers.retryDelay != nil || statedDelay != nil }
}

// MARK: Work that may have been done

extension ServerRefusal {
  /// How the exchange with the server that does the work was lost, as the gateway before it tells.
  var lostExchange: RefusalWords.LostExchange? {
    status >= 500 ? sentences.lazy.compactMap(RefusalWords.lostExchange).first : nil
  }

  /// Whether the work may have been done and charged nevertheless: the answer counts some, or the request had been handed
  /// over when its exchange ended.
  /// - Parameter status: the one that the failure is taken to have.
  func mayHaveBeenCharged(as status: Int) -> Bool {
    // The APIs have been seen to run out of time after they had completed the work.
    hasCost || [408, 499, 504, 524].contains(status) || lostExchange != nil
  }
}

// MARK: The safety rules

extension ServerRefusal {
  /// Whether a code says that the safety rules refuse what was asked for.
  var blocksContentByCode: Bool {
    names.contains { Self.codesOfContent.contains($0) || $0.hasSuffix("sensitivecontentdetected") }
  }

  /// Whether a sentence says so. A key or an account may be refused with the same words.
  /// - Parameter prompt: the words that were sent, which servers quote.
  func blocksContentByWords(quoting prompt: String) -> Bool {
    sentences.contains { RefusalWords.sayContentIsBlocked($0, quoting: prompt) }
  }

  private static let codesOfContent: Set<String> = [
    "moderation_blocked", "content_policy_violation", "content_filter", "contentfilter", "contentpolicyviolation",
    "contentpolicyviolationerror", "responsibleaipolicyviolation", "flagged_input", "nsfw_content",
    "nsfw_content_detected", "sensitive_words_detected", "datainspectionfailed", "data_inspection_failed",
    "request moderated", "content moderated",
  ]

  /// Whether a failure, by its status, is one of the safety rules: words alone say so.
  func failsByContent(quoting prompt: String) -> Bool {
    status >= 500 && sentences.contains { RefusalWords.sayContentIsRejected($0, quoting: prompt) }
  }
}

// MARK: Reading

extension ServerRefusal {
  /// The members that hold an error, or another one within it.
  private static let wrappers = [
    "error", "errors", "detail", "details", "innererror", "inner_error", "metadata", "provider_specific_fields", "raw",
    "base_resp", "response", "upstreamResponse", "upstream_response", "upstreamBody", "upstream_body", "cause", "body",
    "param",
  ]
  /// The members that hold a sentence.
  private static let messages = [
    "message", "msg", "status_msg", "status_message", "error_msg", "error_message", "errorMsg", "errorMessage", "title",
    "error_description",
  ]
  /// What numbers mean that only one server uses in a member: of MiniMax and of Zhipu.
  private static let numbers: [(member: String, number: Int64, code: String)] = [
    ("status_code", 1026, "content_filter"), ("status_code", 1027, "content_filter"), ("code", 1301, "content_filter"),
    ("status_code", 1004, "invalid_api_key"), ("status_code", 2049, "invalid_api_key"),
    ("status_code", 1002, "rate_limit_exceeded"),
  ]
  private static let codeMembers = ["code", "type", "reason", "status", "error_code", "errorCode"]
  /// Deeper than any gateway wraps.
  private static let greatestDepth = 6
  private static let mostEntries = 8
  /// No error has as many values, whether as JSON or as text within it.
  private static let mostValues = 10_000
  /// No sentence is as long, in characters; the rest is not looked at.
  private static let longestSentence = 8192
  private static let mostBytesOfText = 65_536

  /// What of an answer states an error: the answer itself, an element where it is an array, or one of its pictures.
  static func refusal(in json: JSONValue) -> JSONValue? {
    let answers = json.array ?? [json]
    if let answer = answers.first(where: { states(["error", "errors", "detail"], in: $0) || refusesBeside($0) }) {
      return answer
    }
    let entries = answers.flatMap { answer in
      ["data", "choices"].flatMap { answer[$0]?.array ?? [answer[$0] ?? .null] }
    }
    let stated = entries.first { states(["error", "errors"], in: $0) }?.object
    let isBlocked = answers.contains { ContentMark.isIn($0) }
    guard var entry = stated ?? (isBlocked ? ["error": ["code": "content_filter"]] : nil) else { return nil }
    // What it cost is said of the whole answer.
    for name in stated == nil ? ["usage"] : ["usage", "choices"] { entry[name] = answers.lazy.compactMap { $0[name] }.first }
    return .object(entry)
  }

  static func states(_ members: [String], in json: JSONValue) -> Bool {
    members.contains { json[$0]?.isStated == true }
  }

  /// Whether an answer says in members beside its missing data that the request failed, as servers do that answer with
  /// status 200 to everything: `{"success": false, "message"}`, `{"code": 30001, "message", "data": null}`,
  /// `{"base_resp": {"status_code", "status_msg"}}`.
  private static func refusesBeside(_ json: JSONValue) -> Bool {
    if let status = json["base_resp"]?["status_code"]?.statedInteger { return status != 0 }
    guard states(messages, in: json), !states(["choices", "candidates"], in: json) else { return false }
    let number = json["code"]?.statedInteger
    return json["success"]?.bool == false || number.map { $0 != 0 && $0 != 200 } == true
      || number == nil && json["code"]?.statedText.map { $0.lowercased() != "success" } == true
  }

  private mutating func read(_ json: JSONValue, depth: Int) {
    guard depth <= Self.greatestDepth else { return }
    switch json {
    case .string: read(text: json, depth: depth)
    case .array(let entries): for entry in entries.prefix(Self.mostEntries) { read(entry, depth: depth) }
    case .object(let members):
      // The envelope has members of the same names; those of the error come first.
      let isEnvelope = depth == 0 && ["error", "detail"].contains { members[$0]?.object != nil || members[$0]?.array != nil }
      if !isEnvelope { note(members, depth: depth) }
      for name in Self.wrappers {
        // The name of a parameter is no sentence.
        if let inner = members[name], name != "param" || inner.object != nil { read(inner, depth: depth + 1) }
      }
      if isEnvelope { note(members, depth: depth) }
      if let body = GeminiErrorBody(members) {
        if quota == nil, !body.violations.isEmpty { quota = body }
        googleReason = googleReason ?? body.reasons.lazy.compactMap(GeminiErrorReason.init).first
      }
    case .null, .bool, .number: break
    }
  }

  /// Gateways pass the body of another server on as text, alone or between words of their own.
  private mutating func read(text json: JSONValue, depth: Int) {
    guard let text = json.statedText else { return }
    let start = text.firstIndex { $0 == "{" || $0 == "[" }
    let inner = start.flatMap { Self.json(in: text[$0...]) }
    if let inner { read(inner, depth: depth + 1) }
    guard inner == nil || start.map({ text[..<$0].contains(where: \.isLetter) }) == true else { return }
    let sentence = String(text.prefix(Self.longestSentence))
    sentences.append(sentence)
    if message.isEmpty { message = sentence }
  }

  /// A body that is no JSON: words, or a page.
  private mutating func read(body: String) {
    guard let words = MarkupText(body) else { return read(text: .string(body.trimmed), depth: 0) }
    isPage = true
    let sentence = String(words.text.prefix(Self.longestSentence)).trimmed
    if !sentence.isEmpty { sentences.append(sentence) }
  }

  /// The JSON at the beginning of a text, whatever stands behind its last bracket.
  private static func json(in text: Substring) -> JSONValue? {
    func parse(_ text: Substring) -> JSONValue? {
      let bytes = Array(text.utf8)
      return try? JSONValue(parsing: bytes.span, maximumValues: mostValues)
    }
    if let json = parse(text) { return json }
    guard let end = text.lastIndex(where: { $0 == "}" || $0 == "]" }) else { return nil }
    return parse(text[...end])
  }

  private mutating func note(_ members: JSONObject, depth: Int) {
    for name in Self.messages {
      if let text = members[name] { read(text: text, depth: depth) }
    }
    codes += Self.numbers.filter { members[$0.member]?.statedInteger == $0.number }.map(\.code)
    for name in Self.codeMembers {
      guard let value = members[name] else { continue }
      if let number = value.statedInteger {
        if statedStatus == nil, (400...599).contains(number) { statedStatus = Int(number) }
      } else if let text = value.statedText {
        codes.append(String(text.prefix(Self.longestSentence)))
        if name == "code", code.isEmpty { code = text }
        if name == "type", type.isEmpty { type = text }
      }
    }
    memberDelay = memberDelay ?? RetryDelay(in: members, beside: headers)
    if members["flagged_input"]?.isStated == true { codes.append("flagged_input") }
    // Of a place within the body, the last name counts; the body as a whole is no parameter.
    let place = members["loc"]?.array?.compactMap(\.statedText).last { $0 != "body" }
    let parameter = (members["param"]?.statedText ?? place)?.split(separator: ".").last
    if param.isEmpty, let parameter { param = String(parameter) }
  }
}
