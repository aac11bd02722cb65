import AtelierProtocol
import JSON
import Localization

/// Everything recorded about one generation.
public struct GenerationRow: Sendable, Equatable {
  public var id: GenerationID
  public var account: AccountID
  /// The process that works on it, or ended it.
  public var process: ProcessID
  public var recipe: Recipe
  public var state: GenerationState
  public var phase: Phase
  public var message: Sentence
  public var fraction: Double?
  public var sequence: Int64
  public var created: Timestamp
  public var started: Timestamp?
  public var finished: Timestamp?
  /// How long its work may take once it has begun, in milliseconds.
  public var timeLimitMs: Int
  /// The params without inline image data; without prompt when `isPrivate`.
  public var request: JSONObject
  public var prompt: String?
  public var paramsHash: [UInt8]
  public var idempotencyKey: String?
  public var provider: ProviderID?
  public var model: String?
  public var promptVersion: String?
  public var metadata: JSONObject?
  public var parent: GenerationID?
  public var parentIndex: Int?
  public var isPrivate: Bool
  public var isDetached: Bool
  public var isRequeueable: Bool
  public var isCached: Bool
  /// What it delivered, and its thumbnail.
  public var files: [GenerationFile]
  public var text: String?
  /// The list of the recipe `places`; empty for a private generation, of which only the delivery is recorded.
  public var places: [Place]?
  public var dropped: DroppedPlaces?
  public var usage: Usage?
  public var timings: Timings?
  public var warnings: [Warning]
  public var failures: [ImageFailure]
  /// Credits spent on it; 0 for unmetered, failed and cached generations.
  public var creditsCharged: Int
  /// Its effect on the account's credits; nil when nothing was held for it.
  public var credits: Credits?
  public var error: AtelierError?
  /// The user's feedback.
  public var feedback: Generation.Feedback?
  public var isFavorite = false

  /// Its pictures, in the order in which they were asked for.
  public var images: [GenerationFile] { files.with(.image) }

  /// The small picture for history; nil while there is none.
  public var thumbnail: StoredArtifact? { files.first { $0.role == .thumbnail }?.artifact }

  /// The matte of an image; nil when none was asked for.
  public func matte(of image: GenerationFile) -> GenerationFile? {
    files.first { $0.role == .matte && $0.index == image.index }
  }

  /// Whether it ended without a picture, without a charge and without any provider work that may be paid, for a reason
  /// that may have passed. The same idempotency key may then be used for another try.
  public var mayBeTriedAgain: Bool {
    guard images.isEmpty, creditsCharged == 0 else { return false }
    switch state {
    case .interrupted, .expired: return true
    case .failed: return error?.leavesKeyUsable ?? false
    case .queued, .running, .succeeded, .partial, .cancelled: return false
    }
  }
}

extension AtelierError {
  /// Whether a generation that failed with this error cannot have caused paid provider work, and another try may
  /// succeed.
  public var leavesKeyUsable: Bool {
    kind.consequences.leavesKeyUsable && isRetryable && !mayHaveBeenCharged
  }

  /// Whether a provider may have done work that it charges for, although it delivered no picture.
  public var mayHaveBeenCharged: Bool { details["mayHaveBeenCharged"]?.bool == true }
}

extension GenerationRow {
  /// - Parameters:
  ///   - row: all columns of `generation`.
  ///   - files: its files.
  ///   - credits: its effect on credits, from the ledger.
  init(_ row: SQLRow, files: [GenerationFile], credits: Credits?) throws {
    let id = GenerationID(rawValue: try row.value("id"))
    self.id = id
    account = AccountID(rawValue: try row.value("account"))
    process = ProcessID(rawValue: try row.value("process"))
    recipe = try row.coded("recipe")
    state = try row.coded("state")
    phase = try row.coded("phase")
    message = Sentence(stored: try row.value("message"))
    fraction = try row.optional("fraction")
    sequence = try row.value("sequence")
    created = Timestamp(milliseconds: try row.value("created"))
    started = try row.time("started")
    finished = try row.time("finished")
    timeLimitMs = try row.value("time_limit")
    request = try row.json("request")
    prompt = try row.optional("prompt")
    paramsHash = try row.bytes("params_hash")
    idempotencyKey = try row.optional("idempotency_key")
    provider = try row.identifier("provider")
    model = try row.optional("model")
    promptVersion = try row.optional("prompt_version")
    metadata = try row.optionalJSON("metadata")
    parent = try row.identifier("parent")
    parentIndex = try row.optional("parent_index")
    isPrivate = try row.value("is_private")
    isDetached = try row.value("is_detached")
    isRequeueable = try row.value("is_requeueable")
    isCached = try row.value("is_cached")
    text = try row.optional("text")
    places = try row.optionalJSON("places")
    dropped = try row.optionalJSON("dropped")
    usage = try row.optionalJSON("usage")
    timings = try row.optionalJSON("timings")
    warnings = try row.json("warnings")
    failures = try row.json("failures")
    creditsCharged = try row.value("credits_charged")
    error = try row.optionalJSON("error", as: StoredError.self)?.error(about: id)
    self.files = files
    self.credits = credits
  }
}

extension GenerationRow {
  /// The row as it reads after `settlement` is written.
  func ended(by settlement: Settlement, at now: Timestamp) -> GenerationRow {
    var row = self
    row.state = settlement.state
    row.finished = now
    if let note = settlement.lastNote, note.sequence > sequence { row.note(note) }
    row.files += settlement.files.filter { mayRecord($0) }.map { $0.recorded(isPrivate: isPrivate) }
    row.files.sort { ($0.role.rawValue, $0.index) < ($1.role.rawValue, $1.index) }
    if !isPrivate { row.text = settlement.text.map(StoredText.readable) }
    if let list = settlement.places {
      row.places = isPrivate ? [] : list.places
      row.dropped = isPrivate ? DroppedPlaces(count: list.dropped.count, names: []) : list.dropped
    }
    row.provider = settlement.provider.map { ProviderID(rawValue: StoredText.readable($0.rawValue)) } ?? provider
    row.model = settlement.model.map(StoredText.readable) ?? model
    row.promptVersion = settlement.promptVersion.map(StoredText.readable) ?? promptVersion
    row.isCached = settlement.isCached
    row.usage = settlement.usage
    row.timings = settlement.timings
    row.warnings = settlement.warnings
    row.failures = settlement.failures
    row.error = settlement.error.map { StoredError($0).error(about: id) }
    return row
  }

  /// Whether another file is recorded: a thumbnail only where there is none yet, and none of a private generation.
  func mayRecord(_ file: GenerationFile) -> Bool {
    file.role != .thumbnail || (!isPrivate && !files.contains { $0.role == .thumbnail })
  }

  private mutating func note(_ note: ProgressNote) {
    phase = note.phase
    message = Sentence(stored: StoredText.readable(note.message))
    fraction = note.storedFraction
    sequence = note.sequence
  }
}
