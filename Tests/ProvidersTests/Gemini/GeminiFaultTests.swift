import AtelierProtocol
import CurlHTTP
import GeminiSimulator
import Imaging
import Testing

@testable import Providers

/// What each fault of the simulator becomes, through libcurl and over sockets.
@Suite("Gemini over the network")
struct GeminiFaultTests {
  enum Outcome: Sendable, Equatable {
    case picture
    case error(ErrorKind, String)
  }

  /// Those that need somebody to let them go on are met in the tests of cancelling.
  static let faults = Fault.allCases.filter {
    ![.transport(.hold), .transport(.holdMidBody), .transport(.holdDuringUpload)].contains($0)
  }

  static func outcome(of fault: Fault) -> Outcome {
    switch fault {
    case .error(let fault): outcome(of: fault)
    case .finish(let reason): outcome(of: reason)
    case .block: .error(.contentBlocked, "prompt_blocked")
    case .answer(let fault): outcome(of: fault)
    case .stream, .tool: .picture
    case .transport(let fault): outcome(of: fault)
    case .openAI(let fault): outcome(of: fault)
    }
  }

  @Test("a request to Gemini ends as each fault deserves", arguments: faults)
  func fault(fault: Fault) async throws {
    try await withSimulator { simulator in
      simulator.enqueue(fault)
      let provider = try GeminiNetwork.provider(simulator, stallLimitMs: fault.name.hasPrefix("stall") ? 1000 : 30_000)
      // A server that never begins to answer is given up by the total alone; a small photo leaves in any case.
      let isSilent = fault == .transport(.stallBeforeHead) || fault == .transport(.stallDuringUpload)
      let photo = try GeminiTest.photo()
      let outcome: Outcome
      do {
        let image = try await provider.makeImage(
          GeminiTest.request(.edit, photo: photo, timeoutMs: isSilent ? 1500 : 60_000)) { _ in }
        #expect(try ReceivedPicture(image.bytes).mimeType == image.mimeType)
        #expect(PictureMarker(in: image.bytes)?.prompt == PictureMarker.fingerprint(of: "a lighthouse"))
        outcome = .picture
      } catch let error as AtelierError {
        #expect(error.provider == .gemini)
        #expect(!"\(error)".contains(GeminiTest.key))
        outcome = .error(error.kind, error.details["reason"]?.string ?? "")
      }
      #expect(outcome == Self.outcome(of: fault), "\(fault.name): \(fault.summary)")
      #expect(simulator.requests.count <= 1, "one attempt, whatever becomes of it")
    }
  }

  private static func outcome(of fault: ErrorFault) -> Outcome {
    switch fault {
    case .keyInvalid: .error(.invalidApiKey, "api_key_invalid")
    case .badField: .error(.wrongRecipeInput, "invalid_argument")
    case .badImage: .error(.invalidImage, "invalid_argument")
    case .region: .error(.providerUnavailable, "region")
    case .billing: .error(.providerUnavailable, "billing")
    case .thoughtSignature, .thoughtSignatureOfText: .error(.providerError, "history_invalid")
    case .unregisteredCaller, .permission: .error(.providerDenied, "permission_denied")
    case .model: .error(.providerUnavailable, "model_not_found")
    case .tooLarge: .error(.imageTooLarge, "request_too_large")
    case .quotaMinute, .quotaMinuteFraction, .quotaKey: .error(.rateLimited, "quota_minute")
    case .quotaDay: .error(.quotaExhausted, "quota_day")
    case .quotaZero, .quotaThree: .error(.quotaExhausted, "quota_zero")
    case .quotaBare, .quotaMessageOnly: .error(.rateLimited, "rate_limited")
    case .cancelled: .error(.providerError, "cancelled")
    case .internalError, .emptyBody, .badGateway: .error(.providerError, "server_error")
    case .overloaded, .unavailableDeadline, .array, .insideSuccess: .error(.providerUnavailable, "unavailable")
    case .gatewayTimeout: .error(.providerTimeout, "deadline_exceeded")
    case .unknownStatus: .error(.providerError, "unexpected_status")
    }
  }

  private static func outcome(of reason: FinishReason) -> Outcome {
    guard reason != .stop, reason != .unspecified else { return .picture }
    let row = GeminiRefusalTests.finishReasons.first { $0.name == reason.rawValue }
    return row.map { .error($0.kind, $0.reason) } ?? .picture
  }

  private static func outcome(of fault: AnswerFault) -> Outcome {
    switch fault {
    case .noImage, .noCandidates, .emptyCandidates, .noContent, .emptyContent, .noParts, .onlyThoughtImage:
      .error(.noImageReturned, "no_image")
    case .truncatedBase64, .invalidBase64: .error(.providerError, "invalid_base64")
    case .truncatedPicture, .truncatedJPEG: .error(.providerError, "incomplete_picture")
    case .notAnImage, .emptyImage: .error(.providerError, "not_a_picture")
    case .enormousHeader: .error(.providerError, "picture_too_large")
    case .fileData: .error(.providerError, "file_reference")
    case .html, .notJSON: .error(.providerError, "unexpected_answer")
    case .truncatedJSON, .emptyBody, .deepJSON: .error(.providerError, "malformed_response")
    case .wrongTypes: .error(.noImageReturned, "no_image")
    default: .picture
    }
  }

  private static func outcome(of fault: TransportFault) -> Outcome {
    switch fault {
    case .closeBeforeHead, .resetBeforeHead, .resetDuringUpload: .error(.providerError, "connection_lost")
    case .truncatedBody, .truncatedChunked, .resetAfterHead, .resetMidBody: .error(.providerError, "truncated")
    case .stallBeforeHead, .stallDuringUpload: .error(.providerTimeout, "timeout")
    case .stallAfterHead, .stallMidBody: .error(.providerTimeout, "stalled")
    case .endlessBody, .gzipBomb: .error(.providerError, "response_too_large")
    case .endlessHeaders, .hugeHeaders, .notHTTP, .falseGzip: .error(.providerError, "malformed_response")
    case .redirect, .redirectElsewhere: .error(.providerUnavailable, "redirected")
    case .earlyResponse, .earlyResponseAndClose: .error(.imageTooLarge, "request_too_large")
    default: .picture
    }
  }

  /// OpenAI's words from Google's address.
  private static func outcome(of fault: OpenAIFault) -> Outcome {
    switch fault {
    case .invalidKey: .error(.invalidApiKey, "unauthenticated")
    case .insufficientQuota: .error(.quotaExhausted, "insufficient_quota")
    case .billingLimit: .error(.quotaExhausted, "spending_limit")
    case .rateLimit: .error(.rateLimited, "rate_limited")
    case .moderationBlocked: .error(.contentBlocked, "blocked")
    case .badParameter, .detail, .detailList: .error(.invalidImage, "invalid_argument")
    case .modelNotFound: .error(.providerUnavailable, "not_found")
    case .verificationNeeded: .error(.providerDenied, "permission_denied")
    case .serverError, .errorText: .error(.providerError, "server_error")
    case .overloaded: .error(.providerUnavailable, "unavailable")
    default: .picture
    }
  }
}
