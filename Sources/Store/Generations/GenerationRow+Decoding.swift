import AtelierProtocol
import GRDB

extension GenerationRow {
  /// - Parameters:
  ///   - row: all columns of `generation`.
  ///   - images: its images, by index.
  ///   - credits: what the ledger tells of it.
  init(_ row: Row, images: [StoredImage], thumbnail: StoredArtifact?, credits: Credits?) throws {
    let id = GenerationID(rawValue: try row.value("id"))
    self.id = id
    account = AccountID(rawValue: try row.value("account"))
    owner = OwnerID(rawValue: try row.value("owner"))
    recipe = try row.coded("recipe")
    state = try row.coded("state")
    phase = try row.coded("phase")
    message = try row.value("message")
    fraction = try row.optional("fraction")
    sequence = try row.value("sequence")
    created = Timestamp(milliseconds: try row.value("created"))
    started = try row.time("started")
    finished = try row.time("finished")
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
    usage = try row.optionalJSON("usage")
    timings = try row.optionalJSON("timings")
    warnings = try row.json("warnings")
    failures = try row.json("failures")
    creditsCharged = try row.value("credits_charged")
    error = try row.optionalJSON("error", as: StoredError.self)?.error(about: id)
    self.images = images
    self.thumbnail = thumbnail
    self.credits = credits
  }
}
