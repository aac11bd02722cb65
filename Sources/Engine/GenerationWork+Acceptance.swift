import AtelierProtocol
import Crypto
import JSONRPC
import Store

extension GenerationWork {
  /// What the store records of the request.
  func acceptance() throws -> Acceptance {
    guard case .object(var params) = try JSONValueEncoder().encode(request) else {
      throw AtelierError(.internal)
    }
    let hash = Self.hash(params)
    // Pictures never reach the database; a request that brought one inline cannot be carried out from its row alone.
    let hasInlineImage = Self.removeInlineImages(from: &params)
    return Acceptance(
      id: id, account: account, recipe: request.recipe, request: params, prompt: request.prompt, paramsHash: hash,
      idempotencyKey: request.idempotencyKey, provider: provider.id, model: request.model,
      metadata: request.metadata, parent: request.from?.generationId, parentIndex: request.from?.index,
      isPrivate: isPrivate, isDetached: isDetached, isRequeueable: isDetached && !isPrivate && !hasInlineImage)
  }

  /// SHA-256 over the params with their members in alphabetical order: the same whatever order a host sends them in.
  private static func hash(_ params: JSONObject) -> [UInt8] {
    var asked = params
    // They change how the answer comes, not what is made.
    for member in ["idempotencyKey", "detach", "progress"] { asked[member] = nil }
    return Array(SHA256.hash(data: JSONValue.object(asked).sortedByKey.serialized()))
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
