import AtelierProtocol

/// How a generation ended: everything ``Store/finish(_:)`` writes, in one transaction.
public struct Settlement: Sendable {
  public var id: GenerationID
  /// A final state.
  public var state: GenerationState
  /// What was delivered, each file staged unless the generation is private, and the thumbnail, if it already exists:
  /// ``Store/keepThumbnail(_:for:)`` stores one that is made later.
  public var files: [GenerationFile]
  /// Text that came with the images.
  public var text: String?
  /// The list that the recipe `places` delivered.
  public var places: DeliveredPlaces?
  public var provider: ProviderID?
  public var model: String?
  public var promptVersion: String?
  /// True when the images come from an earlier generation and cost nothing.
  public var isCached: Bool
  public var usage: Usage?
  public var timings: Timings?
  public var warnings: [Warning]
  public var failures: [ImageFailure]
  /// The error of a state that has one.
  public var error: AtelierError?
  /// The generation's progress at its end; a note older than the stored one changes nothing.
  public var lastNote: ProgressNote?
  /// The photo and the reference pictures it was made from, kept when images were delivered (`succeeded`, `partial`) and
  /// dropped otherwise. Those whose stored bytes were erased meanwhile are not kept.
  public var inputs: [PreparedKeeping]
  /// The cache key, a SHA-256 (32 bytes): requests with this key are answered with these images from now on. Stored
  /// only if the generation succeeded, is not private and was not itself answered from the cache.
  public var cacheKey: [UInt8]?
  /// The model's answers that came with the images. A private generation keeps none.
  public var turns: [StoredTurn]

  /// The event that ends the generation; nil for a state that is not final.
  var event: GenerationLifecycle.Event? {
    switch state {
    case .succeeded: .delivered(images: max(files.with(.image).count, 1), wanted: 1)
    case .partial: .delivered(images: max(files.with(.image).count, 1), wanted: .max)
    case .failed: .failed
    case .cancelled: .cancelRequested
    case .interrupted: .processDied(isRepeatable: false)
    case .expired: .deadlinePassed
    case .queued, .running: nil
    }
  }

  public init(
    id: GenerationID, state: GenerationState, files: [GenerationFile] = [], text: String? = nil,
    places: DeliveredPlaces? = nil, provider: ProviderID? = nil, model: String? = nil,
    promptVersion: String? = nil, isCached: Bool = false, usage: Usage? = nil, timings: Timings? = nil,
    warnings: [Warning] = [], failures: [ImageFailure] = [], error: AtelierError? = nil, lastNote: ProgressNote? = nil,
    inputs: [PreparedKeeping] = [], cacheKey: [UInt8]? = nil, turns: [StoredTurn] = []
  ) {
    self.id = id
    self.state = state
    self.files = files
    self.text = text
    self.places = places
    self.provider = provider
    self.model = model
    self.promptVersion = promptVersion
    self.isCached = isCached
    self.usage = usage
    self.timings = timings
    self.warnings = warnings
    self.failures = failures
    self.error = error
    self.lastNote = lastNote
    self.inputs = inputs
    self.cacheKey = cacheKey
    self.turns = turns
  }
}

/// A delivered list of places.
public struct DeliveredPlaces: Sendable, Equatable {
  public var places: [Place]
  public var dropped: DroppedPlaces
  /// Its cost in credits held for its generation; 0 when it is free.
  public var credits: Int

  public init(places: [Place], dropped: DroppedPlaces, credits: Int = 0) {
    self.places = places
    self.dropped = dropped
    self.credits = credits
  }
}

/// The parts of a settlement that are stored as JSON. They are encoded before the transaction, so that other writers do
/// not wait for the encoding.
struct SettlementColumns: Sendable {
  let places: String?
  let usage: String?
  let timings: String?
  let warnings: String
  let failures: String
  let error: String?

  init(_ settlement: Settlement) throws {
    places = try settlement.places.map { try StoredText.json($0.places) }
    usage = try settlement.usage.map { try StoredText.json($0) }
    timings = try settlement.timings.map { try StoredText.json($0) }
    warnings = settlement.warnings.isEmpty ? "[]" : try StoredText.json(settlement.warnings)
    failures = settlement.failures.isEmpty ? "[]" : try StoredText.json(settlement.failures)
    error = try settlement.error.map { try StoredText.json(StoredError($0)) }
  }
}

/// The result of writing a ``Settlement``.
public enum FinishOutcome: Sendable, Equatable {
  /// The generation ended as asked.
  case finished(GenerationRow)
  /// Another process ended it first. Nothing of the settlement was stored and its staged files are gone.
  case alreadyFinal(GenerationRow)
  /// Another process has taken it over, because this one was taken for dead. Nothing of the settlement was stored and its
  /// staged files are gone.
  case taken(GenerationRow)
  /// Another process deleted it after cancelling it. Nothing was stored and its staged files are gone.
  case deleted
}
