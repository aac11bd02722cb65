import AtelierProtocol
import JSONRPC
import Store

/// What a generation that makes an earlier one again knows of it (REQUIREMENTS 1.7).
struct Repetition: Sendable, Equatable {
  /// The generation that is made again.
  var of: GenerationID
  /// Where its variations begin for a provider that makes the same of the same: behind those that were made before.
  var firstVariation: Int
  /// SHA-256 over the params of `regenerate`: what an idempotency key stands for. Empty for one read back from the
  /// store, which needs it no more.
  var fingerprint: [UInt8] = []

  private static let ofMember = "regenerates"
  private static let firstMember = "firstVariation"

  init(of: GenerationID, firstVariation: Int, fingerprint: [UInt8]) {
    self.of = of
    self.firstVariation = firstVariation
    self.fingerprint = fingerprint
  }

  /// - Parameter params: the request as the store has it.
  /// - Returns: nil when it repeats nothing.
  init?(recordedIn params: JSONObject) {
    guard let id = params[Self.ofMember]?.string else { return nil }
    of = GenerationID(rawValue: id)
    // The record may have been changed by others; what is beyond any chain of repetitions must not overflow.
    firstVariation = min(max(params[Self.firstMember]?.number?.integer(as: Int.self) ?? 0, 0), 1 << 30)
  }

  /// Writes it beside the params of the request, whose names it does not share.
  func record(in params: inout JSONObject) {
    params[Self.ofMember] = .string(of.rawValue)
    params[Self.firstMember] = .number(JSONNumber(firstVariation))
  }
}
