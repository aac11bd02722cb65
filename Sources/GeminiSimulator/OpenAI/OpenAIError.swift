import JSONRPC

/// An error of OpenAI's API, or of a server that imitates it.
struct OpenAIError: Error, Sendable {
  var status: Int
  var body: JSONValue
  var headers: [HeaderField] = []

  init(_ status: Int, _ message: String, type: String, param: String? = nil, code: String? = nil) {
    self.init(
      status,
      body: [
        "error": [
          "message": .string(message), "type": .string(type), "param": param.map(JSONValue.string) ?? .null,
          "code": code.map(JSONValue.string) ?? .null,
        ]
      ])
  }

  init(_ status: Int, body: JSONValue) {
    self.status = status
    self.body = body
  }

  static func invalid(_ message: String, param: String?, code: String?) -> OpenAIError {
    OpenAIError(400, message, type: "invalid_request_error", param: param, code: code)
  }

  var answer: HTTPAnswer {
    HTTPAnswer(
      status: status, headers: [HeaderField("Content-Type", "application/json")] + headers, body: body.serialized())
  }

  static let missingKey = OpenAIError(
    401,
    """
    You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. \
    Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.
    """, type: "invalid_request_error")

  static let invalidKey = OpenAIError(
    401,
    """
    Incorrect API key provided: bad*****. You can find your API key at https://platform.openai.com/account/api-keys.
    """, type: "invalid_request_error", code: "invalid_api_key")
}
