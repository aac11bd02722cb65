import CurlHTTP
import JSONRPC

/// What a server says of a request that failed, in whichever shape it says so:
/// `{"error": {"message", "type", "param", "code"}}`, `{"error": "…"}`, `{"detail": "…"}`,
/// `{"detail": [{"loc", "msg"}]}`, a page for people, or nothing.
struct OpenAIFailure: Error, Sendable {
  /// Of HTTP; what an error within a good answer says of itself, or 500.
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

  /// An error that came within an answer of a good status, such as the last event of a stream.
  init(inAnswer json: JSONValue, headers: [HTTPHeader] = []) {
    let error = json["error"] ?? json
    let code = [error["code"], error["status"], json["status"]].lazy.compactMap { $0?.int64 }.first
    status = code.flatMap { (400...599).contains($0) ? Int($0) : nil } ?? Self.status(of: error)
    self.headers = headers
    read(json)
  }

  /// The status that usually comes with an error of that kind.
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
