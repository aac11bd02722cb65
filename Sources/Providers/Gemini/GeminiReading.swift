import AtelierProtocol
import Credentials
import CurlHTTP
import JSONRPC

/// Reads what the API answers to one request. Pure: the same response gives the same answer or error.
struct GeminiReading {
  /// The one that was sent, to keep it out of everything that is told.
  var key: APIKey
  /// The model that was asked.
  var model: String
  /// The size of the request's body.
  var sentBytes: Int
  /// Whether the request had a picture that may be at fault.
  var hasPictures = true

  /// A real answer has some hundred; a hostile one is not to fill the memory.
  private static let maximumValues = 200_000

  /// - Throws: `AtelierError` for every response without a whole picture.
  func answer(_ response: HTTPResponse) throws(AtelierError) -> GeminiAnswer {
    let body = AnswerBody(response.body, maximumValues: Self.maximumValues)
    let object = try success(response, Self.object(in: body?.json))
    return try GeminiAnswer(GeminiResponse(object, in: body), hiding: key)
  }

  /// The object of a response that says it went well.
  /// - Throws: `AtelierError` for every other one.
  func success(_ response: HTTPResponse) throws(AtelierError) -> JSONObject {
    try success(
      response, Self.object(in: try? JSONValue(parsing: response.body.span, maximumValues: Self.maximumValues)))
  }

  private func success(_ response: HTTPResponse, _ object: JSONObject?) throws(AtelierError) -> JSONObject {
    guard (200..<300).contains(response.status) else { throw failure(response.status, response, object) }
    guard let object else {
      throw AtelierError(
        .providerError, "The provider's answer makes no sense. Please try again later.", provider: .gemini,
        details: [
          "reason": "malformed_response", "httpStatus": .number(JSONNumber(response.status)),
          "mayHaveBeenCharged": true,
        ])
    }
    if let error = object["error"], !error.isNull {
      let status = error["code"]?.number?.integer(as: Int.self).flatMap { (400..<600).contains($0) ? $0 : nil }
      throw failure(status ?? 500, response, object)
    }
    return object
  }

  private func failure(_ status: Int, _ response: HTTPResponse, _ object: JSONObject?) -> AtelierError {
    GeminiFailure(
      httpStatus: status, error: object.flatMap(GeminiErrorBody.init), headers: response.headers, model: model,
      sentBytes: sentBytes, hasPictures: hasPictures
    ).error(hiding: key)
  }

  /// The object, also when it stands alone in an array, as that of a stream does.
  private static func object(in json: JSONValue?) -> JSONObject? {
    switch json {
    case .object(let object): object
    case .array(let array): array.count == 1 ? array[0].object : nil
    default: nil
    }
  }
}
