import AtelierProtocol
import CurlHTTP
import JSON

@testable import Identities

/// Answers for the servers of key sets, and counts the requests.
actor KeyServer: HTTPPerforming {
  private var answers: [String: Result<HTTPResponse, HTTPError>] = [:]
  private(set) var requests: [HTTPRequest] = []
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []

  func answer(_ url: String, _ document: JSONValue) { answer(url, status: 200, document.serialized()) }

  func answer(_ url: String, status: Int, _ body: [UInt8]) {
    answers[url] = .success(HTTPResponse(status: status, headers: [], body: body))
  }

  func fail(_ url: String, _ cause: HTTPError.Cause = .connect) {
    answers[url] = .failure(HTTPError(cause, mayHaveBeenSent: false, detail: ""))
  }

  /// No answer is given before ``release()``.
  func hold() { isHolding = true }

  func release() {
    isHolding = false
    for request in held { request.resume() }
    held = []
  }

  /// Returns once a request is held.
  func holdsRequest() async {
    if held.isEmpty { await withCheckedContinuation { watchers.append($0) } }
  }

  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    requests.append(request)
    if isHolding {
      await withCheckedContinuation { request in
        held.append(request)
        for watcher in watchers { watcher.resume() }
        watchers = []
      }
    }
    guard let answer = answers[request.url] else { throw HTTPError(.resolve, mayHaveBeenSent: false, detail: "") }
    return try answer.get()
  }
}

/// A cache in memory, which can be out of order.
actor MemoryCache: KeySetCache {
  struct OutOfOrder: Error {}

  private(set) var kept: [String: (document: String, fetched: Timestamp)] = [:]
  private var isOutOfOrder = false

  func breakDown() { isOutOfOrder = true }

  func keySet(of url: String) throws -> (document: String, fetched: Timestamp)? {
    if isOutOfOrder { throw OutOfOrder() }
    return kept[url]
  }

  func keep(_ document: String, of url: String, fetched: Timestamp) throws {
    if isOutOfOrder { throw OutOfOrder() }
    kept[url] = (document, fetched)
  }
}
