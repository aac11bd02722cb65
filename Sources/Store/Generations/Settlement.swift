import AtelierProtocol

/// How a generation ended: everything ``Store/finish(_:)`` writes, in one transaction.
public struct Settlement: Sendable {
  public var id: GenerationID
  /// A final state.
  public var state: GenerationState
  /// The images delivered, each with its file staged, in the order of their index.
  public var images: [SettledImage]
  /// A small picture for history, when it is there by now; staged like the others. ``Store/keepThumbnail(_:for:)``
  /// keeps one that is made later.
  public var thumbnail: StagedArtifact?
  /// Text that came with the images.
  public var text: String?
  /// Structured results of the `places` recipe.
  public var places: [Place]?
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
  /// Where the generation stood at its end; an older note than the stored one changes nothing.
  public var lastNote: ProgressNote?
  /// The photo it was made from, to be kept when images were delivered (`succeeded`, `partial`) and dropped otherwise.
  /// A stored one that was erased meanwhile is not kept; the images are.
  public var prepared: PreparedKeeping?
  /// The pictures it went by, kept in the same way.
  public var preparedReferences: [PreparedKeeping]
  /// What a request must be to be answered with these images from now on: a SHA-256 (32 bytes). Kept only of one that
  /// succeeded, is not private and was not itself answered so.
  public var cacheKey: [UInt8]?
  /// What the model said with the images. A private generation keeps none.
  public var turns: [SettledTurn]

  /// What it does to the generation's life; nil for a state that is no end.
  var event: Generation.Event? {
    switch state {
    case .succeeded: .delivered(images: max(images.count, 1), wanted: 1)
    case .partial: .delivered(images: max(images.count, 1), wanted: .max)
    case .failed: .failed
    case .cancelled: .cancelRequested
    case .interrupted: .ownerDied(isRepeatable: false)
    case .expired: .deadlinePassed
    case .queued, .running: nil
    }
  }

  public init(
    id: GenerationID, state: GenerationState, images: [SettledImage] = [], thumbnail: StagedArtifact? = nil,
    text: String? = nil, places: [Place]? = nil, provider: ProviderID? = nil, model: String? = nil,
    promptVersion: String? = nil, isCached: Bool = false, usage: Usage? = nil, timings: Timings? = nil,
    warnings: [Warning] = [], failures: [ImageFailure] = [], error: AtelierError? = nil, lastNote: ProgressNote? = nil,
    prepared: PreparedKeeping? = nil, preparedReferences: [PreparedKeeping] = [], cacheKey: [UInt8]? = nil,
    turns: [SettledTurn] = []
  ) {
    self.id = id
    self.state = state
    self.images = images
    self.thumbnail = thumbnail
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
    self.prepared = prepared
    self.preparedReferences = preparedReferences
    self.cacheKey = cacheKey
    self.turns = turns
  }
}
