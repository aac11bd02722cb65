import AtelierProtocol
import JSON

/// A request from the engine, checked and with its defaults filled in: everything that the first row needs.
public struct Acceptance: Sendable {
  /// A new id, made by the caller.
  public var id: GenerationID
  public var account: AccountID
  public var recipe: Recipe
  /// The params with inline image data taken out. The store takes `prompt` out as well when `isPrivate`.
  public var request: JSONObject
  /// The prompt to show and search in history. Never written when `isPrivate`.
  public var prompt: String?
  /// SHA-256 (32 bytes) of everything that determines what the caller asked for; compared when an idempotency key is
  /// reused.
  public var paramsHash: [UInt8]
  /// How long the work may take once it has begun, in milliseconds. When its process is gone, others take it for over after
  /// this time.
  public var timeLimitMs: Int
  /// At most 128 characters, unique for the account.
  public var idempotencyKey: String?
  /// The expected provider; ``Settlement`` names the actual one.
  public var provider: ProviderID?
  public var model: String?
  /// The version of the engineered prompt.
  public var promptVersion: String?
  public var metadata: JSONObject?
  /// The result this one refines.
  public var parent: GenerationID?
  public var parentIndex: Int?
  /// Stores neither prompt nor images.
  public var isPrivate: Bool
  /// The caller does not wait: the generation outlives its connection.
  public var isDetached: Bool
  /// Whether another process may take it over while it is queued, because everything it needs can be read again. A
  /// private generation is never taken over, because its inputs are not kept.
  public var isRequeueable: Bool
  /// Nil for an account that is not metered: nothing is held or refused.
  public var metering: Metering?
  /// Its entry in the offline queue when its provider cannot be reached. The store owns its staged pictures once it is
  /// accepted.
  public var waiting: QueueEntry?
  /// Pictures of the request, kept until its end. The store owns the staged ones once the request is accepted.
  public var inputs: [PreparedKeeping] = []
  /// Whether the work starts at once: the row is `running` from the start.
  public var begins = false

  public init(
    id: GenerationID, account: AccountID, recipe: Recipe, request: JSONObject, prompt: String?, paramsHash: [UInt8],
    timeLimitMs: Int, idempotencyKey: String? = nil,
    provider: ProviderID? = nil, model: String? = nil, promptVersion: String? = nil,
    metadata: JSONObject? = nil, parent: GenerationID? = nil, parentIndex: Int? = nil, isPrivate: Bool = false,
    isDetached: Bool = false, isRequeueable: Bool = false, metering: Metering? = nil
  ) {
    self.id = id
    self.account = account
    self.recipe = recipe
    self.request = request
    self.prompt = prompt
    self.paramsHash = paramsHash
    self.timeLimitMs = timeLimitMs
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

extension Acceptance {
  /// The staged pictures of the request.
  var stagedArtifacts: [StagedArtifact] { keptInputs.compactMap(\.source.staged) }

  /// The pictures that are kept for the request.
  var keptInputs: [PreparedKeeping] { inputs + (waiting?.inputs ?? []) }

  /// The row as it reads after it is written.
  func row(process: ProcessID, now: Timestamp) throws(AtelierError) -> GenerationRow {
    var request = request
    if isPrivate { request["prompt"] = nil }
    var row = GenerationRow(
      id: GenerationID(rawValue: try StoredText.identifier(id.rawValue)),
      account: AccountID(rawValue: try StoredText.identifier(account.rawValue)), process: process, recipe: recipe,
      state: .queued, phase: .queued, message: "", sequence: 0, created: now, timeLimitMs: max(0, timeLimitMs),
      request: request,
      prompt: isPrivate ? nil : prompt.map(StoredText.readable), paramsHash: paramsHash,
      idempotencyKey: try idempotencyKey.map { key throws(AtelierError) in try StoredText.identifier(key) },
      provider: provider.map { ProviderID(rawValue: StoredText.readable($0.rawValue)) },
      model: model.map(StoredText.readable), promptVersion: promptVersion.map(StoredText.readable),
      metadata: metadata,
      parent: try parent.map { parent throws(AtelierError) in
        GenerationID(rawValue: try StoredText.identifier(parent.rawValue))
      },
      parentIndex: parentIndex, isPrivate: isPrivate, isDetached: isDetached,
      isRequeueable: isRequeueable && !isPrivate, isCached: false, files: [], warnings: [], failures: [],
      creditsCharged: 0)
    if let waiting {
      row.wait(at: waiting)
    } else if begins {
      var life = GenerationLifecycle(state: row.state)
      if (try? life.apply(.started)) != nil { (row.state, row.phase, row.started) = (life.state, .preparing, now) }
    }
    return row
  }
}

/// The result of an ``Acceptance``.
public enum AcceptOutcome: Sendable, Equatable {
  /// A new row, `queued` or `running` as requested, owned by this process.
  case accepted(GenerationRow)
  /// The account already used this idempotency key with the same params: this is that generation, which may have ended.
  case existing(GenerationRow)
}
