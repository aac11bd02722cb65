import JSONRPC

extension AnswerFault {
  /// The answer of a fault that breaks the whole body; nil for the others.
  /// - Parameter good: what would have been answered.
  func brokenBody(_ good: JSONValue) -> HTTPAnswer? {
    switch self {
    case .html:
      return .html(
        status: 200,
        "<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head><body>Welcome.</body></html>\n")
    case .notJSON:
      return HTTPAnswer(status: 200, headers: HTTPAnswer.googleHeaders("application/json"), body: Array("OK\n".utf8))
    case .truncatedJSON:
      var answer = HTTPAnswer.json(good)
      if case .whole(let bytes) = answer.body { answer.body = .whole(Array(bytes.prefix(bytes.count / 2))) }
      return answer
    case .emptyBody: return HTTPAnswer(status: 200, headers: HTTPAnswer.googleHeaders("application/json"), body: [])
    case .array: return .json(.array([good]))
    case .deepJSON:
      let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
      return HTTPAnswer(
        status: 200, headers: HTTPAnswer.googleHeaders("application/json"),
        body: brackets + brackets.map { $0 + 2 })
    case .wrongTypes: return .json(["candidates": 7, "usageMetadata": "none", "modelVersion": ["x"]])
    default: return nil
    }
  }
}
