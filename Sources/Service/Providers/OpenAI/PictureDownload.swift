import AtelierProtocol
import CurlHTTP
import Imaging
import JSON

/// The download of a picture to which an answer has a link.
///
/// The picture has been made and paid for, and only this link leads to it: a failure for the moment is met with further
/// attempts, and says nothing about the key, the model or the next request.
struct PictureDownload {
  let server: OpenAIServer
  let http: any HTTPPerforming
  let headers: [HTTPHeader]
  let limits: HTTPLimits
  /// When the time for the whole picture ends.
  let deadline: ContinuousClock.Instant
  let sleep: @Sendable (Duration) async throws -> Void

  /// Between the attempts: stores of files show a new one a little later.
  static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
  private static let mostRedirects = 5

  private enum Outcome {
    case picture([UInt8])
    case redirected(to: String)
    /// Another attempt may succeed.
    case later(Failure)
    case refused(Failure)
  }

  private struct Failure {
    /// For `details.cause`.
    var cause: String
    var status: Int?
    var delay: RetryDelay?
  }

  /// - Throws: `AtelierError`, `CancellationError`.
  func picture(at link: String) async throws -> [UInt8] {
    guard link.utf8.count <= OpenAIServer.longestLink else { throw unfollowed("that is too long", "link_too_long") }
    guard var url = server.picture(at: link) else { throw unfollowed("to another address", "foreign_link") }
    var redirects = 0
    var pauses = Self.pauses[...]
    while true {
      switch try await outcome(of: url) {
      case .picture(let bytes): return bytes
      case .redirected(let target):
        redirects += 1
        guard redirects <= Self.mostRedirects, let next = server.picture(at: target) else {
          throw unfetched(Failure(cause: "redirected"), isFinal: true)
        }
        url = next
      case .later(let failure):
        guard let pause = pauses.popFirst().map({ max($0, .milliseconds(failure.delay?.milliseconds ?? 0)) }),
          .now + pause < deadline
        else { throw unfetched(failure, isFinal: false) }
        try await sleep(pause)
      case .refused(let failure): throw unfetched(failure, isFinal: true)
      }
    }
  }

  private func outcome(of url: String) async throws -> Outcome {
    var limits = limits
    limits.total = deadline - .now
    guard limits.total > .zero else { return .refused(Failure(cause: "timeout")) }
    let exchange: ReceivedExchange
    do {
      exchange = try await http.performKeepingWhatCame(HTTPRequest(.get, url, headers: headers, limits: limits))
    } catch let error as HTTPError {
      try Task.checkCancellation()
      let failure = Failure(cause: error.cause.reason)
      return error.cause == .tooLarge ? .refused(failure) : .later(failure)
    }
    let response = exchange.response
    let failure = Failure(
      cause: exchange.interruption?.cause.reason ?? "refused", status: response.status, delay: response.headers.retryDelay)
    switch response.status {
    case 202, 204, 404, 408, 425, 429, 500...: return .later(failure)
    case 200..<300: return outcome(response.body, or: failure, isInterrupted: exchange.interruption != nil)
    case 300..<400:
      return response.header("location").map { .redirected(to: $0) } ?? .refused(Failure(cause: "redirected"))
    default: return .refused(failure)
    }
  }

  /// - Parameter isInterrupted: whether the response broke off; its picture may be whole.
  private func outcome(_ bytes: [UInt8], or failure: Failure, isInterrupted: Bool) -> Outcome {
    if bytes.isEmpty { return .later(failure) }
    var failure = failure
    do throws(ReceivedPicture.Problem) {
      _ = try ReceivedPicture(bytes)
      return .picture(bytes)
    } catch {
      switch error {
      case .incomplete:
        if !isInterrupted { failure.cause = PictureProblem.received(error).name }
        return .later(failure)
      case .notAPicture:
        if isInterrupted { return .later(failure) }
        failure.cause = PictureProblem.received(error).name
        return .refused(failure)
      // What cannot be opened here is a picture nevertheless, and told as that.
      case .unsupported, .tooLarge: return .picture(bytes)
      }
    }
  }

  // MARK: Failures

  // The kind is that of an answer without a picture: no other provider is paid for the same picture, and nothing is paused.

  private func unfetched(_ failure: Failure, isFinal: Bool) -> AtelierError {
    var error = AtelierError(
      .noImageReturned,
      "The picture was made, but could not be fetched from the provider. Another attempt may be charged as well.",
      hint: "The server does not hand out the picture behind its link: have it answer in base64, or check its storage.",
      provider: .openai,
      details: ["reason": "picture_unfetched", "cause": .string(failure.cause), "mayHaveBeenCharged": true],
      retryable: isFinal ? false : nil)
    if let status = failure.status { error.details["httpStatus"] = .number(JSONNumber(status)) }
    return error
  }

  private func unfollowed(_ what: String, _ reason: String) -> AtelierError {
    AtelierError(
      .noImageReturned,
      "The provider answered with a link that is not followed, so there is no picture: choose another provider.",
      hint: "The server answered with a link \(what), which is not followed: have it answer in base64.",
      provider: .openai, details: ["reason": .string(reason), "mayHaveBeenCharged": true], retryable: false)
  }
}
