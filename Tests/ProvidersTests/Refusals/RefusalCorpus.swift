import AtelierProtocol
import Foundation
import JSON
import Testing

@testable import Providers

/// Refusals as they were reported by those who got them, from `Fixtures/refusals`: the status, the structure, the codes and
/// the words that matter are theirs, the rest of the words ours. A report that shows less is put in the form of its API.
/// `source` is the repository and the issue or pull request.
struct ReportedRefusal: Sendable, CustomTestStringConvertible {
  var program: String
  var source: String
  /// Whose API was asked.
  var isGemini: Bool
  var status: Int
  /// As it came over the wire.
  var body: [UInt8]
  var meaning: RefusalMeaning
  var retryAfterMs: Int?

  var testDescription: String { "\(program), \(source)" }

  /// - Returns: nil for an entry that lacks something.
  init?(_ json: JSONValue) {
    guard let program = json["program"]?.string, let source = json["source"]?.string, let shape = json["shape"]?.string,
      let status = json["status"]?.int64, let body = json["body"],
      let meaning = json["meaning"]?.string.flatMap(RefusalMeaning.init)
    else { return nil }
    self.program = program
    self.source = source
    isGemini = shape == "gemini"
    self.status = Int(status)
    // A body that is a text is words alone, or whatever else is no object.
    self.body = body.string.map { Array($0.utf8) } ?? body.serialized()
    self.meaning = meaning
    retryAfterMs = json["retryAfterMs"]?.int64.map { Int($0) }
  }

  /// Every entry of the file; nil for one that cannot be read.
  static let entries: [ReportedRefusal?] = {
    let tests = URL(filePath: #filePath).pathComponents.prefix { $0 != "ProvidersTests" }.joined(separator: "/")
    let file = URL(filePath: "\(tests)/Fixtures/refusals/refusals.json")
    let json = (try? Data(contentsOf: file)).flatMap { try? JSONValue(parsing: Array($0)) }
    return (json?.array ?? []).map { ReportedRefusal($0) }
  }()

  static let all = entries.compactMap { $0 }
}

/// What a refusal has to mean, whoever words it.
enum RefusalMeaning: String, Sendable, CaseIterable {
  case credit, limit, rate, day, zero, account, billing, field, size
  /// The exchange with the server behind a gateway was lost, and may have been charged.
  case lost, timeout
  /// The server behind a gateway was not reached.
  case unreached
  /// Of the safety rules, of the key, and of the model.
  case blocked, key, model

  var kind: ErrorKind {
    switch self {
    case .credit, .limit, .day, .zero: .quotaExhausted
    case .rate: .rateLimited
    case .account: .providerDenied
    case .billing: .providerUnavailable
    case .field: .wrongRecipeInput
    case .size: .unsupportedByProvider
    case .lost: .providerError
    case .timeout: .providerTimeout
    case .unreached, .model: .providerUnavailable
    case .blocked: .contentBlocked
    case .key: .invalidApiKey
    }
  }

  /// `details.reason`; nil if several fit.
  var reason: String? {
    switch self {
    case .credit: "insufficient_quota"
    case .limit: "spending_limit"
    case .day: "quota_day"
    case .zero: "quota_zero"
    case .account: "account_restricted"
    case .billing: "billing"
    case .lost: "connection_lost"
    case .timeout: "deadline_exceeded"
    case .unreached: "unavailable"
    case .blocked: "blocked"
    case .key: "api_key_invalid"
    case .model: "model_not_found"
    case .rate, .field, .size: nil
    }
  }

  /// A part of what the operator is told.
  var hint: String {
    switch self {
    case .credit: "add credit to its account"
    case .limit: "spending limit of the key, its project or its team"
    case .zero: "plan"
    case .account: "account"
    case .billing: "billing account"
    case .day: "API key"
    case .rate, .field, .lost, .timeout, .unreached, .blocked, .key, .model: ""
    case .size: "size"
    }
  }

  /// Whether a test of the same request now or later helps, without anybody doing anything.
  var isOfTime: Bool { self == .rate || self == .day }

  func check(_ error: AtelierError, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(error.kind == kind, comment, sourceLocation: sourceLocation)
    if let reason { #expect(error.details["reason"]?.string == reason, comment, sourceLocation: sourceLocation) }
    #expect(hint.isEmpty || error.hint?.contains(hint) == true, comment, sourceLocation: sourceLocation)
    let mayHaveBeenCharged = error.details["mayHaveBeenCharged"] == true
    #expect(mayHaveBeenCharged == [.lost, .timeout].contains(self), comment, sourceLocation: sourceLocation)
    guard kind == .quotaExhausted || kind == .rateLimited else { return }
    // Nothing is paused for everybody where no time helps: the engine knows that by an explicit `retryable: false`.
    #expect((error.retryable == false) == !isOfTime, comment, sourceLocation: sourceLocation)
    if !isOfTime { #expect(!error.isRetryable && error.retryAfterMs == nil, comment, sourceLocation: sourceLocation) }
  }
}
