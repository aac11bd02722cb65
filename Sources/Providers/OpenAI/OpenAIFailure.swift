import AtelierProtocol
import CurlHTTP
import JSON

/// What a server reports about a failed request, in any of these forms:
/// `{"error": {"message", "type", "param", "code"}}`, `{"error": "…"}`, `{"detail": "…"}`,
/// `{"detail": [{"loc", "msg"}]}`, an HTML page, or nothing.
struct OpenAIFailure: Error, Sendable {
  /// The HTTP status; for an error inside a successful response, the status that the error states, or 500.
  let status: Int
  let headers: [HTTPHeader]
  private(set) var message = ""
  private(set) var type = ""
  private(set) var param = ""
  private(set) var code = ""

  init(_ response: HTTPResponse) {
    status = response.status
    headers = response.headers
    if let json = try? JSONValue(parsing: response.body.span, maximumValues: 10_000) { read(json) }
  }

  /// An error inside a response with a success status, such as the last event of a stream.
  init(inAnswer json: JSONValue, headers: [HTTPHeader] = []) {
    let error = json["error"] ?? json
    let code = [error["code"], error["status"], json["status"]].lazy.compactMap { $0?.int64 }.first
    status = code.flatMap { (400...599).contains($0) ? Int($0) : nil } ?? Self.status(of: error)
    self.headers = headers
    read(json)
  }

  /// The status that usually accompanies an error of that kind.
  private static func status(of error: JSONValue) -> Int {
    switch (error["type"]?.string, error["code"]?.string) {
    case (_, "invalid_api_key"?), ("authentication_error"?, _): 401
    case (_, "rate_limit_exceeded"?), (_, "insufficient_quota"?), ("rate_limit_error"?, _): 429
    case ("invalid_request_error"?, _), ("image_generation_user_error"?, _), (_, "moderation_blocked"?): 400
    default: 500
    }
  }

  private mutating func read(_ json: JSONValue) {
    if let error = json["error"], !error.isNull {
      message = error.string ?? error["message"]?.string ?? ""
      type = error["type"]?.string ?? ""
      param = error["param"]?.string ?? ""
      code = error["code"]?.string ?? ""
    } else if let detail = json["detail"], !detail.isNull {
      let first = detail.array?.first ?? detail
      message = first.string ?? first["msg"]?.string ?? first["message"]?.string ?? ""
      param = first["loc"]?.array?.last?.string ?? ""
      type = first["type"]?.string ?? ""
    } else {
      message = json["message"]?.string ?? ""
      type = json["type"]?.string ?? ""
      code = json["code"]?.string ?? ""
    }
  }

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}

extension OpenAIFailure {
  /// The first of `fields` that the server rejects: the one it names as the parameter at fault or, if it names none,
  /// the one that its message calls unknown or not supported.
  /// - Parameter prompt: the prompt of the request. Servers quote it, and a quoted word is no rejection.
  func objection(to fields: [OpenAIField], prompt: String) -> OpenAIField? {
    guard status == 400 || status == 422 else { return nil }
    guard param.isEmpty else { return fields.first { $0.rawValue == param } }
    let words = Self.words(of: message)
    let quoted = Self.words(of: prompt)
    return fields.first { field in
      words.indices.contains { index in
        Self.names(words[index], field) && !Self.mayBeQuoted(index, of: words, from: quoted)
          // A name with an underscore is not a word of any language; the other names are.
          && (field.rawValue.contains("_") || Self.isRefused(index, of: words))
      }
    }
  }

  /// Names and words in lower case, without punctuation.
  private static func words(of text: String) -> [Substring] {
    text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func names(_ word: Substring, _ field: OpenAIField) -> Bool {
    word == field.rawValue || field == .stream && word == "streaming"
  }

  /// Whether the prompt contains this word next to the same word as here, or consists of this word only.
  private static func mayBeQuoted(_ index: Int, of words: [Substring], from quoted: [Substring]) -> Bool {
    if quoted == [words[index]] { return true }
    return zip(quoted, quoted.dropFirst()).contains { first, second in
      (first == words[index] && index + 1 < words.count && second == words[index + 1])
        || (second == words[index] && index > 0 && first == words[index - 1])
    }
  }

  private static let nouns: Set<Substring> = [
    "parameter", "parameters", "argument", "arguments", "field", "fields", "property", "properties", "key", "keys",
    "option", "options", "input", "inputs",
  ]
  private static let fillers: Set<Substring> = [
    "the", "request", "body", "keyword", "supplied", "provided", "found", "not", "permitted", "allowed", "is", "are",
    "currently", "yet", "here",
  ]
  private static let refusals: Set<Substring> = [
    "unknown", "unrecognized", "unrecognised", "unsupported", "unexpected", "extra", "additional",
  ]
  private static let capabilities: Set<Substring> = [
    "supported", "allowed", "permitted", "accepted", "recognized", "recognised", "known", "implemented", "available",
  ]

  /// Whether the message says that the name at `index` is not accepted: "Unknown parameter: 'seed'", "extra fields
  /// not permitted: seed", "the seed parameter is not supported".
  private static func isRefused(_ index: Int, of words: [Substring]) -> Bool {
    let skipped = words[..<index].reversed().prefix { nouns.contains($0) || fillers.contains($0) }
    let before = words[..<index].dropLast(skipped.count).suffix(2)
    if let word = before.last {
      if refusals.contains(word) || word == "invalid" && skipped.contains(where: nouns.contains) { return true }
      let isDenied = before.count == 2 && ["not", "t", "cannot"].contains(before.first)
      if isDenied, ["support", "accept", "take", "allow"].contains(word) { return true }
    }
    var after = words[(index + 1)...].drop { nouns.contains($0) || ["is", "are", "currently"].contains($0) }
    guard let word = after.popFirst() else { return false }
    if refusals.contains(word) { return true }
    return ["not", "isn", "cannot", "only"].contains(word) && after.prefix(2).contains { capabilities.contains($0) }
  }
}

extension OpenAIFailure {
  /// How long to wait before the next request, in milliseconds, at most a day; nil when the server does not say.
  var retryDelayMs: Int? {
    namedDelayMs ?? resetDelayMs ?? RetryDelay(inMessage: message)?.milliseconds
  }

  private static let longest = 86_400_000

  /// The delay given by a retry header.
  private var namedDelayMs: Int? {
    if let delay = header("retry-after-ms").flatMap({ RetryDelay($0 + "ms") }) { return delay.milliseconds }
    guard let text = header("retry-after") else { return nil }
    if let delay = RetryDelay(text + "s") { return delay.milliseconds }
    // Measured by the server's own clock, so that a wrong local clock does no harm.
    guard let until = Self.date(text), let now = header("date").flatMap(Self.date) else { return nil }
    return Int(min(max(0, until.milliseconds - now.milliseconds), Int64(Self.longest)))
  }

  /// When the exhausted limits are reset: requests, tokens or images, whichever takes longest.
  private var resetDelayMs: Int? {
    let delays: [(isUsedUp: Bool, milliseconds: Int)] = ["requests", "tokens", "images"].compactMap { name in
      guard let text = header("x-ratelimit-reset-\(name)"), let delay = RetryDelay(text) ?? RetryDelay(text + "s")
      else { return nil }
      return (header("x-ratelimit-remaining-\(name)") == "0", delay.milliseconds)
    }
    let usedUp = delays.filter(\.isUsedUp)
    return (usedUp.isEmpty ? delays : usedUp).map(\.milliseconds).max()
  }

  /// A date in HTTP format (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
    let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
