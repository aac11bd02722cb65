import JSONRPC

/// A `google.rpc.Status` as far as it can be understood (GEMINI 3): every member may be missing.
struct GeminiErrorBody {
  /// One quota that was exceeded.
  struct Violation {
    var quotaId: String
    var quotaValue: String?
  }

  /// Such as `RESOURCE_EXHAUSTED`.
  var status: String?
  var message: String
  /// Such as `API_KEY_INVALID`.
  var reason: String?
  var violations: [Violation] = []
  /// A protobuf duration, such as `45.837906927s`.
  var retryDelay: String?

  /// - Parameter body: the object that has the error as its member `error`.
  /// - Returns: nil when it has none.
  init?(_ body: JSONObject) {
    if let text = body["error"]?.string {
      message = text
      return
    }
    guard let error = body["error"]?.object else { return nil }
    status = error["status"]?.string
    message = error["message"]?.string ?? ""
    for detail in error["details"]?.array ?? [] {
      // The order varies, and so may the types: each member is looked for where it can be.
      reason = reason ?? detail["reason"]?.string
      retryDelay = retryDelay ?? detail["retryDelay"]?.string
      violations += (detail["violations"]?.array ?? []).map {
        Violation(quotaId: $0["quotaId"]?.string ?? "", quotaValue: $0["quotaValue"]?.string)
      }
    }
  }
}
