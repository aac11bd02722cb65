import AtelierProtocol
import JSONRPC

extension GenerationWork {
  /// Whether it may wait for its provider instead of failing.
  var mayWait: Bool { request.whenOffline == .queue }

  /// The same, read from what is recorded of its params.
  func reading(_ params: JSONObject) throws -> GenerationWork {
    let request = try JSONValueDecoder(unknownMembers: .ignore).decode(Generate.self, from: .object(params))
    var work = GenerationWork(
      id: id, account: account, request: request, template: template, lineup: lineup, metering: metering,
      requestID: requestID, wantsProgress: wantsProgress, createdAt: createdAt)
    work.repetition = repetition
    return work
  }
}
