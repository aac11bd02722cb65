import AtelierProtocol
import CurlHTTP
import JSON

/// What a server reports about a failed request, in any of these forms, and wrapped by gateways once more:
/// `{"error": {"message", "type", "param", "code"}}`, `{"error": "…"}`, `{"detail": "…"}`,
/// `{"detail": [{"loc", "msg"}]}`, one of these in an array or in a text, an HTML page, or nothing.
struct OpenAIFailure: Error, Sendable {
  /// The HTTP status; for an error inside a successful response, the status that the error states, or 500.
  private(set) var status: Int
  /// Whether the response had a success status, so that its work may have been done and paid for.
  let isInAnswer: Bool
  /// Whether that response counts or shows work, which is charged.
  let hasCost: Bool
  let headers: [HTTPHeader]
  /// The outermost message.
  private(set) var message = ""
  private(set) var type = ""
  private(set) var param = ""
  private(set) var code = ""
  /// Every code, type and reason of the error and of those that it wraps, in lower case.
  private(set) var names: Set<String> = []
  /// Every message, in lower case.
  private(set) var sentences: [String] = []
  /// What Google says of a quota, behind any server.
  private(set) var quota: GeminiErrorBody?
  /// What Google gives as the reason, behind any server.
  private(set) var googleReason: GeminiErrorReason?
  /// The status that the error itself states.
  private var statedStatus: Int?

  init(_ response: HTTPResponse) {
    status = response.status
    (isInAnswer, hasCost) = (false, false)
    headers = response.headers
    if let json = try? JSONValue(parsing: response.body.span, maximumValues: Self.mostValues) { read(json, depth: 0) }
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

  /// The status that usually accompanies an error of these names.
  private var statusOfNames: Int {
    let statuses: [(Int, Set<String>)] = [
      (401, ["invalid_api_key", "authentication_error"]),
      (429, ["rate_limit_exceeded", "insufficient_quota", "rate_limit_error"]),
      (400, ["invalid_request_error", "image_generation_user_error", "moderation_blocked"]),
    ]
    return statuses.first { !$0.1.isDisjoint(with: names) }?.0
      ?? names.compactMap { GeminiErrorBody.httpStatus(of: $0.uppercased()) }.min() ?? 500
  }

  func header(_ name: String) -> String? { headers.value(of: name) }
}

// MARK: Reading

extension OpenAIFailure {
  /// The members that hold an error, or another one within it.
  private static let wrappers = [
    "error", "errors", "detail", "details", "innererror", "inner_error", "metadata", "provider_specific_fields", "raw",
  ]
  /// Deeper than any gateway wraps.
  private static let greatestDepth = 6
  private static let mostEntries = 8
  /// No error has as many values, whether as JSON or as text within it.
  private static let mostValues = 10_000
  /// No sentence is as long, in characters; the rest is not looked at.
  private static let longestSentence = 8192

  /// What of an answer states an error: the answer itself, an element where it is an array, or one of its pictures.
  static func refusal(in json: JSONValue) -> JSONValue? {
    let answers = json.array ?? [json]
    if let answer = answers.first(where: { states(["error", "errors", "detail"], in: $0) }) { return answer }
    let entries = answers.flatMap { $0["data"]?.array ?? [$0["data"] ?? .null] }
    guard var entry = entries.first(where: { states(["error", "errors"], in: $0) })?.object else { return nil }
    // What it cost is said of the whole answer.
    entry["usage"] = answers.lazy.compactMap { $0["usage"] }.first
    return .object(entry)
  }

  static func states(_ members: [String], in json: JSONValue) -> Bool {
    members.contains { json[$0]?.isStated == true }
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
        if let inner = members[name] { read(inner, depth: depth + 1) }
      }
      if isEnvelope { note(members, depth: depth) }
      if let body = GeminiErrorBody(members) {
        if quota == nil, !body.violations.isEmpty { quota = body }
        googleReason = googleReason ?? body.reasons.lazy.compactMap(GeminiErrorReason.init).first
      }
    case .null, .bool, .number: break
    }
  }

  /// Gateways pass the body of another server on as text, alone or after words of their own.
  private mutating func read(text json: JSONValue, depth: Int) {
    guard let text = json.statedText else { return }
    let start = text.firstIndex { $0 == "{" || $0 == "[" }
    let inner = start.flatMap { Self.json(in: text[$0...]) }
    if let inner { read(inner, depth: depth + 1) }
    guard inner == nil || start.map({ text[..<$0].contains(where: \.isLetter) }) == true else { return }
    let sentence = String(text.prefix(Self.longestSentence))
    sentences.append(sentence.lowercased())
    if message.isEmpty { message = sentence }
  }

  private static func json(in text: Substring) -> JSONValue? {
    let bytes = Array(text.utf8)
    return try? JSONValue(parsing: bytes.span, maximumValues: mostValues)
  }

  private mutating func note(_ members: JSONObject, depth: Int) {
    for name in ["message", "msg"] {
      if let text = members[name] { read(text: text, depth: depth) }
    }
    for name in ["code", "type", "reason", "status"] {
      guard let value = members[name] else { continue }
      if let number = value.statedInteger {
        if statedStatus == nil, (400...599).contains(number) { statedStatus = Int(number) }
      } else if let text = value.statedText {
        names.insert(text.lowercased())
        if name == "code", code.isEmpty { code = text }
        if name == "type", type.isEmpty { type = text }
      }
    }
    if members["flagged_input"]?.isStated == true { names.insert("flagged_input") }
    // Of a place within the body, the last name counts; the body as a whole is no parameter.
    let place = members["loc"]?.array?.compactMap(\.statedText).last { $0 != "body" }
    let parameter = (members["param"]?.statedText ?? place)?.split(separator: ".").last
    if param.isEmpty, let parameter { param = String(parameter) }
  }
}
