import AtelierProtocol
import Crypto
import Engine
import JSON

/// What makes two tool calls the same: the account, the tool and its arguments.
struct CallDigest: Sendable, Hashable {
  /// 32 bytes.
  let bytes: [UInt8]

  init(account: AccountID, tool: String, request: JSONObject) {
    let call: JSONValue = [.string(account.rawValue), .string(tool), .object(request)]
    bytes = Array(SHA256.hash(data: call.serialized()))
  }
}
