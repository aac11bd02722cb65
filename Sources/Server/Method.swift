import AtelierProtocol
import Engine
import JSONRPC

/// One method of the protocol: the message it takes, and what is done with it.
protocol Method: Sendable {
  associatedtype Message: RequestMessage
  /// Urgent methods pass when too many requests are in flight: those that end or look at work.
  static var isUrgent: Bool { get }
  /// Carries out the request.
  /// - Throws: `AtelierError`, or `CancellationError` when the request was cancelled.
  static func answer(_ message: Message, for caller: Caller, by engine: Engine) async throws -> Message.Answer
}

extension Method {
  static var isUrgent: Bool { false }

  /// Decodes the params, carries out the request, encodes the answer.
  static func perform(_ request: Request, for caller: Caller, by engine: Engine) async throws -> JSONValue {
    do {
      let message = try JSONValueDecoder(unknownMembers: .reject).decode(Message.self, from: .object(request.params))
      return try JSONValueEncoder().encode(try await answer(message, for: caller, by: engine))
    } catch let failure as JSONDecodingFailure {
      throw ResponseError.invalidParams(path: failure.path, expected: failure.expected, message: failure.message)
    } catch let cancellation as CancellationError {
      throw cancellation
    } catch {
      throw AtelierError(wrapping: error).body(at: engine.surroundings.now(), requestId: request.id.json).responseError
    }
  }
}
