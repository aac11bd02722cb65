import AtelierProtocol
import JSON
import Providers
import Store

/// An accepted request with all its choices made: what is to be done, for whom, by whom.
struct GenerationWork: Sendable {
  let id: GenerationID
  let account: AccountID
  let request: Generate
  /// What the template it names brings with it; nil when it names none.
  let template: TemplateUse?
  /// Who is asked for it.
  let lineup: ProviderLineup
  /// What accepting it takes; nil where nothing is counted, or was when it was accepted.
  var metering: Metering?
  /// The id of the JSON-RPC request, for its progress notifications.
  let requestID: JSONValue?
  /// Whether its progress is told.
  let wantsProgress: Bool
  /// When the request was accepted, by the time of day.
  let createdAt: Timestamp
  /// What it makes again; nil for what is made for the first time.
  var repetition: Regeneration?
  /// Whether it is known to have to wait for its provider.
  var mustWait = false
  /// What it ends with where no earlier result answers it; nil for one that is made then.
  var refusalUnlessCached: AtelierError?
  /// What its idempotency key stands for, where that is not the request as it is here.
  var sentFingerprint: [UInt8]?

  init(
    id: GenerationID, account: AccountID, request: Generate, template: TemplateUse? = nil, lineup: ProviderLineup,
    metering: Metering? = nil, requestID: JSONValue?, wantsProgress: Bool, createdAt: Timestamp
  ) {
    self.id = id
    self.account = account
    self.template = template
    self.lineup = lineup
    self.metering = metering
    self.requestID = requestID
    self.wantsProgress = wantsProgress
    self.createdAt = createdAt
    self.request = request.completed
  }

  /// The same for a request that names its pictures elsewhere.
  func with(_ request: Generate, fingerprint: [UInt8]) throws -> GenerationWork {
    var work = GenerationWork(
      id: id, account: account, request: request, template: template, lineup: lineup, metering: metering,
      requestID: requestID, wantsProgress: wantsProgress, createdAt: createdAt)
    work.repetition = repetition
    work.mustWait = mustWait
    work.refusalUnlessCached = refusalUnlessCached
    work.sentFingerprint = fingerprint
    return work
  }

  /// The one that is asked first.
  var provider: any ImageProvider { lineup.first }
  var isDetached: Bool { request.detach ?? false }
  var isPrivate: Bool { request.private ?? false }
  /// How many pictures are wanted.
  var wanted: Int { request.wantedCount }
  /// How many of them the provider that is asked first makes at the same time: all it can, where it works elsewhere;
  /// one on this machine, which has nothing to gain from more.
  var atOnce: Int { provider.profile.isLocal ? 1 : min(wanted, max(1, provider.maximumConcurrentImages)) }
  /// The side that picture `index` shows; nil unless several are wanted.
  func view(of index: Int) -> View? {
    request.isMultiAngle && View.allCases.indices.contains(index) ? View.allCases[index] : nil
  }

  /// What a provider is asked for the picture `index`; its pictures are filled in when they are ready.
  func imageRequest(index: Int) -> ImageRequest {
    let view = view(of: index)
    // The sides of a head are to agree, so that none is told to differ from the others.
    var asked = request.imageRequest(variation: view == nil ? index : 0, view: view, template: template)
    // What is made on this machine is the same each time, but for its variations.
    if provider.profile.isLocal { asked.variation += repetition?.firstVariation ?? 0 }
    return asked
  }

  /// The version of our words, where a model is given any.
  var promptVersion: String? {
    provider.profile.isLocal ? nil : Prompt(for: request, variation: 0, template: template)?.version
  }
}

extension DurationEstimator.Kind {
  init(_ work: GenerationWork) { self.init(provider: work.provider.id, recipe: work.request.recipe) }
}

extension Generate {
  /// Whether the several sides of a head are wanted.
  var isMultiAngle: Bool { output?.mode == .multiAngle }

  /// How many results are wanted.
  var wantedCount: Int { isMultiAngle ? View.allCases.count : output?.count ?? 1 }

  /// The same with what follows from it filled in, so that history tells how the picture was to look.
  var completed: Generate {
    var request = self
    // A refinement works on the result it names.
    if image == nil, let from { request.image = .generation(from.generationId, index: from.index) }
    if recipe == .headshot, style == nil { request.style = Style() }
    return request
  }

  /// What a provider is asked for one picture, without the pictures it works from.
  /// - Parameters:
  ///   - view: the side of the head a hairstyle is to be seen from; nil keeps the camera where it was.
  ///   - template: what the template it names brings with it.
  func imageRequest(variation: Int, view: View? = nil, template: TemplateUse? = nil) -> ImageRequest {
    let prompt = Prompt(for: self, variation: variation, view: view, template: template)
    var asked = ImageRequest(
      recipe: recipe, prompt: prompt?.text, style: style, variation: variation, model: model,
      temperature: prompt?.temperature ?? temperature, seed: seed, aspectRatio: output?.aspectRatio,
      size: output?.size, timeoutMs: 0)
    asked.isTemperatureOurs = temperature == nil
    return asked
  }
}
