import AtelierProtocol
import Crypto
import JSON
import Providers

/// What two requests must share for one result to answer both: the account and everything that decides what the
/// pictures are.
///
/// Everything is in the key but what is left out by name, so that a new option which nobody thought of here costs no more
/// than a result that is not found.
struct ResultKey: Sendable, Encodable {
  var account: AccountID
  var provider: ProviderID
  /// The named model, else the provider's default.
  var model: String?
  /// What else its pictures depend on; nil for nothing.
  var dependencies: [String]?
  var recipe: Recipe
  var template: String?
  var mode: Generate.OutputMode
  /// The SHA-256 of the photo as the provider receives it.
  var photo: String?
  /// The SHA-256 of each reference picture.
  var references: [String]
  /// The provider request for each picture.
  var pictures: [ImageRequest]
  /// What the named size for passports asks for: an operator may correct it.
  var passportPreset: PassportPreset?
  /// The params for which none of the other fields stands.
  var params: JSONObject = [:]

  /// Changes with what the fields mean, so that results stored under another meaning are never found.
  private static let version: JSONValue = "4"

  /// 32 bytes.
  func bytes() throws -> [UInt8] {
    var key = self
    key.pictures = pictures.map(\.deciding)
    let fields: JSONValue = ["version": Self.version, "key": try JSONValueEncoder().encode(key)]
    return Array(SHA256.hash(data: fields.sortedByKey.serialized()))
  }
}

extension ImageRequest {
  /// The request without what does not decide how the picture looks, and without the pictures and the model, for which the
  /// key has fields.
  fileprivate var deciding: ImageRequest {
    var request = self
    (request.photo, request.references, request.model) = (nil, [], nil)
    (request.pictureWarnings, request.wantsPreparedPhoto, request.isTemperatureOurs) = ([], false, false)
    (request.count, request.timeoutMs) = (1, 0)
    return request
  }
}

extension ResultKey {
  /// For these params, the key has fields.
  private static let told: Set = [
    "account", "provider", "model", "recipe", "templateId", "image", "references", "prompt", "style", "temperature", "seed",
  ]
  /// The same of `output`.
  private static let toldOfOutput: Set = [
    "mode", "count", "aspectRatio", "size", "format", "quality", "maxBytes", "minBytes", "crop", "passportSize",
    "headHeight", "matte",
  ]
  /// These decide when and how the answer comes, not what the pictures are.
  private static let ofTheAnswer: Set = [
    "timeoutMs", "idempotencyKey", "cache", "whenOffline", "waitMs", "private", "detach", "progress", "metadata",
  ]
  /// The same of `output`.
  private static let ofTheAnswerInOutput: Set = ["directory", "inline"]

  /// What is left of a request for the field ``params``.
  static func params(of request: Generate) throws -> JSONObject {
    var request = request
    // Inline pictures can be large.
    (request.image, request.references) = (nil, nil)
    return params(in: try request.params())
  }

  static func params(in request: JSONObject) -> JSONObject {
    var left = request.without(told.union(ofTheAnswer))
    if let output = left["output"]?.object {
      let rest = output.without(toldOfOutput.union(ofTheAnswerInOutput))
      left["output"] = rest.isEmpty ? nil : .object(rest)
    }
    return left
  }
}

extension JSONObject {
  fileprivate func without(_ names: Set<String>) -> JSONObject {
    JSONObject(members: lazy.filter { !names.contains($0.key) }.map { ($0.key, $0.value) })
  }
}
