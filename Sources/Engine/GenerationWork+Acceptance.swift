import AtelierProtocol
import Crypto
import JSONRPC
import Store

extension GenerationWork {
  /// What the store records of the request.
  func acceptance() throws -> Acceptance {
    var params = try request.params()
    let hash = try repetition?.fingerprint ?? request.fingerprint()
    // Pictures never reach the database; a request that brought one inline cannot be carried out from its row alone.
    let hasInlineImage = Self.removeInlineImages(from: &params)
    repetition?.record(in: &params)
    return Acceptance(
      id: id, account: account, recipe: request.recipe, request: params, prompt: request.prompt, paramsHash: hash,
      idempotencyKey: request.idempotencyKey, provider: provider.id, model: request.model,
      metadata: request.metadata, parent: repetition?.of ?? request.from?.generationId,
      parentIndex: repetition == nil ? request.from?.index : nil,
      isPrivate: isPrivate, isDetached: isDetached, isRequeueable: isDetached && !isPrivate && !hasInlineImage,
      metering: metering)
  }

  private static func removeInlineImages(from params: inout JSONObject) -> Bool {
    var found = false
    func withoutData(_ image: JSONValue) -> JSONValue {
      guard var members = image.object, members["data"] != nil else { return image }
      found = true
      members["data"] = nil
      return .object(members)
    }
    if let image = params["image"] { params["image"] = withoutData(image) }
    if let references = params["references"]?.array { params["references"] = .array(references.map(withoutData)) }
    return found
  }
}

extension Generate {
  /// SHA-256 over the params with their members in alphabetical order: the same whatever order a host sends them in.
  func fingerprint() throws -> [UInt8] { try params().fingerprint }

  func params() throws -> JSONObject {
    guard case .object(let params) = try JSONValueEncoder().encode(self) else { throw AtelierError(.internal) }
    return params
  }
}

extension Regenerate {
  /// The same over the params of `regenerate`, which name a generation as those of `generate` never do.
  func fingerprint() throws -> [UInt8] {
    guard case .object(let params) = try JSONValueEncoder().encode(self) else { throw AtelierError(.internal) }
    return params.fingerprint
  }
}

extension JSONObject {
  fileprivate var fingerprint: [UInt8] {
    var asked = self
    // They change how the answer comes, not what is made.
    for member in ["idempotencyKey", "detach", "progress"] { asked[member] = nil }
    return Array(SHA256.hash(data: JSONValue.object(asked).sortedByKey.serialized()))
  }
}

extension JSONValue {
  /// The same value with the members of every object in alphabetical order.
  fileprivate var sortedByKey: JSONValue {
    switch self {
    case .object(let object):
      .object(JSONObject(members: object.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sortedByKey) }))
    case .array(let array): .array(array.map(\.sortedByKey))
    case .null, .bool, .number, .string: self
    }
  }
}
