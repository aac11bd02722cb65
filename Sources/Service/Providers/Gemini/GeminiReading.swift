import AtelierProtocol
import Credentials
import CurlHTTP
import Imaging
import JSON

/// Interprets the API's response to one request. Pure: the same response gives the same answer or error.
struct GeminiReading {
  /// The key that was sent; removed from all texts that are passed on.
  var key: APIKey
  /// The requested model.
  var model: String
  /// The size of the request's body.
  var sentBytes: Int
  /// Whether the request had a picture that may be at fault.
  var hasPictures = true

  /// A real answer has some hundred values; the limit keeps a hostile one from filling the memory.
  private static let maximumValues = 200_000

  /// - Throws: `AtelierError` for every response without a complete image.
  func answer(_ response: HTTPResponse) throws(AtelierError) -> GeminiAnswer {
    let body = AnswerBody(response.body, maximumValues: Self.maximumValues)
    return try read(response, Self.object(in: body?.json)) { object throws(AtelierError) in
      try GeminiAnswer(GeminiResponse(object, in: body), hiding: key)
    }
  }

  /// - Throws: `AtelierError` for every response without words or calls.
  func textAnswer(_ response: HTTPResponse) throws(AtelierError) -> GeminiTextAnswer {
    try read(response, Self.object(in: response)) { object throws(AtelierError) in
      try GeminiTextAnswer(GeminiResponse(object, in: nil), hiding: key)
    }
  }

  /// The object of a successful response.
  /// - Throws: `AtelierError` for any other response.
  func success(_ response: HTTPResponse) throws(AtelierError) -> JSONObject {
    try success(response, Self.object(in: response))
  }

  /// Reads the answer in a successful response. One that is there has been paid for, whatever else is said; in the place
  /// of one that says nothing, the error beside it is told.
  private func read<Answer>(
    _ response: HTTPResponse, _ object: JSONObject?, as answer: (JSONObject) throws(AtelierError) -> Answer
  ) throws(AtelierError) -> Answer {
    let object = try success(response, object)
    do throws(AtelierError) {
      return try answer(object)
    } catch {
      // What the safety rules refuse, no error beside it makes worth another attempt.
      let isOpen = error.kind == .noImageReturned || error.kind == .providerError
      guard isOpen, object["error"]?.isStated == true else { throw error }
      throw failure(of: object, response)
    }
  }

  private func success(_ response: HTTPResponse, _ object: JSONObject?) throws(AtelierError) -> JSONObject {
    guard (200..<300).contains(response.status) else { throw failure(response.status, response, object) }
    guard let object else {
      throw AtelierError(
        .providerError, "The provider's answer could not be understood. Please try again later.", provider: .gemini,
        details: [
          "reason": "malformed_response", "httpStatus": .number(JSONNumber(response.status)),
          "mayHaveBeenCharged": true,
        ])
    }
    if object["error"]?.isStated == true, object["candidates"]?.isStated != true {
      throw failure(of: object, response)
    }
    return object
  }

  /// The error that a response with a successful status states.
  private func failure(of object: JSONObject, _ response: HTTPResponse) -> AtelierError {
    var error = failure(GeminiErrorBody(object)?.statedStatus ?? 500, response, object)
    if GeminiResponse(object, in: nil).hasCost { error.details["mayHaveBeenCharged"] = true }
    return error
  }

  private func failure(_ status: Int, _ response: HTTPResponse, _ object: JSONObject?) -> AtelierError {
    GeminiFailure(
      httpStatus: status, error: object.flatMap(GeminiErrorBody.init), headers: response.headers, model: model,
      sentBytes: sentBytes, hasPictures: hasPictures
    ).error(hiding: key)
  }

  private static func object(in response: HTTPResponse) -> JSONObject? {
    object(in: try? JSONValue(parsing: response.body.span, maximumValues: maximumValues))
  }

  /// The object, even if it is the only element of an array, as in a stream.
  private static func object(in json: JSONValue?) -> JSONObject? {
    switch json {
    case .object(let object): object
    case .array(let array): array.count == 1 ? array[0].object : nil
    default: nil
    }
  }
}
