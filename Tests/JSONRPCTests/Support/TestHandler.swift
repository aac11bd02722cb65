import Support
import Synchronization

@testable import JSON
@testable import JSONRPC
@testable import POSIX

/// A handler of a few methods:
/// `echo` and `ping` answer their params at once, `work` does so in a task, `wait` waits until it is cancelled or released,
/// `deaf` waits until it is released and does not listen to cancellation, `fail` and `unencodable` throw.
final class TestHandler: ConnectionHandler {
  struct Surprise: Error {}

  let echoed = Counter()
  let started = Counter()
  let cancelled = Counter()
  let release = Promise<Void>()
  let notifications = Mutex<[JSONRPC.Notification]>([])
  let readerAtEnd = Promise<Bool>()

  func receive(_ request: Request, on connection: Connection) -> Disposition {
    let params = JSONValue.object(request.params)
    switch request.method {
    case "echo", "ping":
      echoed.increment()
      return .answered(.success(params))
    case "work": return .task { params }
    case "urgent": return .task(urgent: true) { params }
    case "wait":
      return .task { [self] in
        started.increment()
        guard await release.value() != nil else {
          cancelled.increment()
          throw CancellationError()
        }
        return params
      }
    case "outcome":
      return .task { [self] in
        started.increment()
        return await release.value() != nil ? ["outcome": "succeeded"] : ["outcome": "cancelled"]
      }
    case "deaf":
      return .task { [self] in
        started.increment()
        let release = release
        _ = await Task { await release.value() }.value
        return params
      }
    case "notifying":
      return .task {
        for index in 0..<100 {
          connection.notify("progress", ["sequence": .number(JSONNumber(index))], coalescing: "p")
        }
        return params
      }
    case "ask":
      return .task { try await connection.request("question", params) }
    case "fail": return .task { throw Surprise() }
    case "wrong":
      return .task {
        struct Known: Decodable { var known: [String]? }
        do {
          _ = try JSONValueDecoder(unknownMembers: .reject).decode(Known.self, from: params)
        } catch let failure as JSONDecodingFailure {
          throw ResponseError.invalidParams(failure)
        }
        return params
      }
    case "quoting":
      return .task {
        throw ResponseError(
          code: 418, message: "No \(params["text"]?.string ?? "").",
          data: ["kind": "kept", "quote": params["text"] ?? nil, "data": params["data"] ?? nil])
      }
    case "refuse": return .task { throw ResponseError(code: 418, message: "No.", data: ["kind": "teapot"]) }
    case "unencodable": return .task { try JSONValueEncoder().encode(Double.infinity) }
    default: return .answered(.failure(.methodNotFound(request.method)))
    }
  }

  func receive(_ notification: JSONRPC.Notification, on connection: Connection) {
    notifications.withLock { $0.append(notification) }
  }

  func overloaded(_ request: Request) -> ResponseError {
    ResponseError(code: 503, message: "Busy.", data: ["kind": "overloaded", "retryAfterMs": 100])
  }

  func inputEnded(hasReader: Bool) { readerAtEnd.fulfil(hasReader) }
}
