import AtelierProtocol
import JSONRPC

/// A request as the engine hands it over, checked and with its defaults filled in: all that the first row needs.
public struct Acceptance: Sendable {
  /// A new id, made by the caller.
  public var id: GenerationID
  public var account: AccountID
  public var recipe: Recipe
  /// The params with inline image data taken out. The store takes `prompt` out as well when `isPrivate`.
  public var request: JSONObject
  /// What history shows and searches. Never written when `isPrivate`.
  public var prompt: String?
  /// SHA-256 (32 bytes) over everything that decides what the caller asked for; compared when an idempotency key
  /// returns.
  public var paramsHash: [UInt8]
  /// At most 128 characters, unique for the account.
  public var idempotencyKey: String?
  /// The provider foreseen; ``Settlement`` names the one that served.
  public var provider: ProviderID?
  public var model: String?
  /// The version of the engineered prompt.
  public var promptVersion: String?
  public var metadata: JSONObject?
  /// The result this one refines.
  public var parent: GenerationID?
  public var parentIndex: Int?
  /// Leaves neither prompt nor images behind (REQUIREMENTS 7.2).
  public var isPrivate: Bool
  /// The caller does not wait: the generation outlives its connection.
  public var isDetached: Bool
  /// While still queued, another process may take it over, because everything it needs can be read again.
  /// A private generation never is: what it needs was not kept.
  public var isRequeueable: Bool
  /// Nil for an account that is not metered: nothing is held, nothing refused (REQUIREMENTS 6.3).
  public var metering: Metering?
  /// Where it waits when its provider cannot be reached; its staged pictures belong to the store once it is accepted.
  public var waiting: WaitingPlace?
  /// Pictures that came within the request, kept until its end; the staged ones belong to the store once it is accepted.
  public var inputs: [PreparedKeeping] = []
  /// Whether the work begins at once: the row is `running` from the start.
  public var begins = false

  public init(
    id: GenerationID, account: AccountID, recipe: Recipe, request: JSONObject, prompt: String?, paramsHash: [UInt8],
    idempotencyKey: String? = nil, provider: ProviderID? = nil, model: String? = nil, promptVersion: String? = nil,
    metadata: JSONObject? = nil, parent: GenerationID? = nil, parentIndex: Int? = nil, isPrivate: Bool = false,
    isDetached: Bool = false, isRequeueable: Bool = false, metering: Metering? = nil
  ) {
    self.id = id
    self.account = account
    self.recipe = recipe
    self.request = request
    self.prompt = prompt
    self.paramsHash = paramsHash
    self.idempotencyKey = idempotencyKey
    self.provider = provider
    self.model = model
    self.promptVersion = promptVersion
    self.metadata = metadata
    self.parent = parent
    self.parentIndex = parentIndex
    self.isPrivate = isPrivate
    self.isDetached = isDetached
    self.isRequeueable = isRequeueable
    self.metering = metering
  }
}
