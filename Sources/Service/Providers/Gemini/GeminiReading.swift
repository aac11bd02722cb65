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
  /// The words that were sent, which servers quote.
  var prompt = ""

  /// A real answer has some hundred values; the limit keeps a hostile one from filling the memory.
  private static let maximumValues = 200_000

  /// - Throws: `AtelierError` for every response without a complete image.
  func answer(_ response: HTTPResponse) throws(AtelierError) -> GeminiAnswer {
    let body = AnswerBody(GeminiStream.unified(response.body), maximumValues: Self.maximumValues)
    // A picture that is there has been paid for, also in the form of another API.
    if let other = Self.otherPicture(in: response, body) { return other }
    return try read(response, Self.object(in: body?.json)) { object throws(AtelierError) in
      try GeminiAnswer(GeminiResponse(object, in: body), hiding: key)
    }
  }

  /// The picture of an answer in another form than Google's, alone, in one object or in a stream of events.
  private static func otherPicture(in response: HTTPResponse, _ body: AnswerBody?) -> GeminiAnswer? {
    guard (200..<300).contains(response.status) else { return nil }
    let candidates = GeminiResponse(object(in: body?.json) ?? [:], in: body).candidates
    // What Google calls a picture, and what it keeps back, is read as Google means it.
    let isGoogles = candidates.contains { $0.finishReason.isRefusal || $0.parts.contains { $0.data != nil } }
    guard !isGoogles else { return nil }
    var reader = OpenAIAnswerReader(mostBytes: .max)
    guard (try? reader.append(response.body)) != nil else { return nil }
    switch (try? reader.finish())?.picture {
    case .base64(let text): return (try? PictureProblem.check(text)).map { GeminiAnswer($0.picture, $0.decoded.bytes) }
    case .bytes(let bytes): return (try? ReceivedPicture(bytes)).map { GeminiAnswer($0, bytes) }
    case .link, nil: return nil
    }
  }

  /// What came of an exchange, even if its end is missing.
  /// - Throws: `AtelierError` for every response without a complete image.
  func answer(_ exchange: ReceivedExchange) throws(AtelierError) -> GeminiAnswer {
    do throws(AtelierError) {
      return try answer(exchange.response)
    } catch {
      guard let interruption = exchange.interruption, Self.object(in: exchange.response) == nil else { throw error }
      throw AtelierError(interruption, provider: .gemini)
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
      guard isOpen else { throw error }
      if let refusal = ServerRefusal.refusal(in: .object(object))?.object {
        throw failure(of: object, stating: refusal, response)
      }
      if let shape = AnswerShape(.object(object), status: response.status), shape != .geminiAnswer {
        throw AtelierError.unexpectedAnswer(shape, status: response.status, from: .gemini)
      }
      throw error
    }
  }

  private func success(_ response: HTTPResponse, _ object: JSONObject?) throws(AtelierError) -> JSONObject {
    guard (200..<300).contains(response.status) else { throw failure(response.status, response, object) }
    guard let object else {
      if let shape = AnswerShape(text: response.body) {
        throw AtelierError.unexpectedAnswer(shape, status: response.status, from: .gemini)
      }
      throw AtelierError(
        .providerError, "The provider's answer could not be understood. Please try again later.", provider: .gemini,
        details: [
          "reason": "malformed_response", "httpStatus": .number(JSONNumber(response.status)),
          "mayHaveBeenCharged": true,
        ])
    }
    if object["error"]?.isStated == true, object["candidates"]?.isStated != true {
      throw failure(of: object, stating: object, response)
    }
    return object
  }

  /// The error that a response with a successful status states.
  /// - Parameter refusal: the part of it that does so.
  private func failure(of object: JSONObject, stating refusal: JSONObject, _ response: HTTPResponse) -> AtelierError {
    let status = GeminiErrorBody(refusal)?.statedStatus ?? ServerRefusal(inAnswer: .object(refusal)).status
    var error = failure(status, response, refusal)
    if GeminiResponse(object, in: nil).hasCost { error.details["mayHaveBeenCharged"] = true }
    return error
  }

  private func failure(_ status: Int, _ response: HTTPResponse, _ object: JSONObject?) -> AtelierError {
    let refusal =
      (200..<300).contains(response.status)
      ? ServerRefusal(inAnswer: .object(object ?? [:]), headers: response.headers) : ServerRefusal(response)
    return GeminiFailure(
      httpStatus: status, error: object.flatMap(GeminiErrorBody.init), refusal: refusal, model: model,
      sentBytes: sentBytes, hasPictures: hasPictures, prompt: prompt
    ).error(hiding: key)
  }

  private static func object(in response: HTTPResponse) -> JSONObject? {
    object(in: try? JSONValue(parsing: response.body.span, maximumValues: maximumValues))
  }

  /// The object, even if it came in the pieces of a stream.
  private static func object(in json: JSONValue?) -> JSONObject? {
    switch json {
    case .object(let object): object
    case .array(let array): GeminiStream.object(of: array)
    default: nil
    }
  }
}
