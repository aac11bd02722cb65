import AtelierProtocol
import Crypto
import Engine
import JSON

/// What makes two tool calls the same: the account, the tool and what it asks for.
struct CallDigest: Sendable, Hashable {
  /// 32 bytes.
  let bytes: [UInt8]

  /// - Parameter request: as ``Generate/plainest`` writes it.
  init(account: AccountID, tool: String, request: JSONObject) {
    let call: JSONValue = [.string(account.rawValue), .string(tool), .object(request)]
    bytes = Array(SHA256.hash(data: call.serialized()))
  }

  init(account: AccountID, tool: String, request: Generate) throws {
    self.init(account: account, tool: tool, request: try JSONValueEncoder().encode(request.plainest).object ?? [:])
  }
}

extension Generate {
  /// The same request in the form that all ways of writing it share: without the white space around words, and without
  /// params that say what holds for every provider when they are left out.
  ///
  /// What only one provider takes for granted, such as a shape, stays: another provider may make something else without it.
  var plainest: Generate {
    var request = completed
    request.prompt = prompt.flatMap(UserWords.init)?.text ?? prompt
    if case .text(let area)? = near, let words = UserWords(area) { request.near = .text(words.text) }
    if limit == Self.defaultPlaceLimit { request.limit = nil }
    if output?.count == 1 { request.output?.count = nil }
    if output?.mode == .single { request.output?.mode = nil }
    if request.output == Output() { request.output = nil }
    return request
  }
}

/// Which of the generations that the same calls make: calls with one number make one generation together, however many they
/// are and whenever they come.
struct CallNumber: Sendable, Equatable {
  /// The ten minutes in which the number was given.
  var window: Int64
  /// How many had ended by then.
  var number: Int
}
