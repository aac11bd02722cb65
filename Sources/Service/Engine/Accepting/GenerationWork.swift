import AtelierProtocol
import JSON
import Providers
import Store

/// An accepted request with all its choices made: the task, the account and the providers.
struct GenerationWork: Sendable {
  let id: GenerationID
  let account: AccountID
  private(set) var request: Generate
  /// The contribution of the named template; nil when the request names none.
  let template: TemplateUse?
  /// The providers that may be asked.
  let lineup: ProviderLineup
  /// The charge and limits at acceptance; nil when nothing is metered, or when they were applied at acceptance already.
  var metering: Metering?
  /// The id of the JSON-RPC request, for its progress notifications.
  let requestID: JSONValue?
  /// Whether the host wants progress notifications.
  let wantsProgress: Bool
  /// The wall-clock time of the acceptance.
  let createdAt: Timestamp
  /// Whether the request came over a confined connection: files outside of the folders in the configuration are refused,
  /// whichever process works on it.
  let isConfined: Bool
  /// The generation this one repeats; nil for a first generation.
  var repetition: Regeneration?
  /// Whether the work is known to have to wait for its provider.
  var mustWait = false
  /// The error the work ends with if no earlier result answers it; nil if the pictures are made in that case.
  var refusalUnlessCached: AtelierError?
  /// The host that answers lookups of places; nil when the host of this process does not.
  var locationSource: (any LocationSource)?
  /// What its idempotency key stands for, if that differs from `request`.
  var sentFingerprint: [UInt8]?

  init(
    id: GenerationID, account: AccountID, request: Generate, template: TemplateUse? = nil, lineup: ProviderLineup,
    metering: Metering? = nil, requestID: JSONValue?, wantsProgress: Bool, createdAt: Timestamp, isConfined: Bool = false
  ) {
    self.isConfined = isConfined
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

  /// The same work for a request that refers to its pictures elsewhere.
  func with(_ request: Generate, fingerprint: [UInt8]) -> GenerationWork {
    var work = self
    work.request = request.completed
    work.sentFingerprint = fingerprint
    return work
  }

  /// The pictures that it may use.
  var pictureAccess: PictureAccess { PictureAccess(account: account, isConfined: isConfined) }
  /// The provider that is asked first.
  var provider: any ImageProvider { lineup.first }
  /// The request for the first picture, as its first provider is asked for it.
  var firstRequest: ImageRequest { imageRequest(index: 0).fitting(provider, isFirst: lineup.passedOver.isEmpty) }
  var isDetached: Bool { request.detach ?? false }
  var isPrivate: Bool { request.private ?? false }
  /// Whether a provider may be asked whose work is paid.
  var isPaid: Bool { lineup.asked.contains { !$0.profile.isLocal } }
  /// The number of results requested.
  var wanted: Int { request.resultCount }
  /// How many pictures the first provider makes at the same time: all it can if it works elsewhere; one on this
  /// machine, which gains nothing from more.
  var atOnce: Int { provider.profile.isLocal ? 1 : min(wanted, max(1, provider.maximumConcurrentImages)) }
  /// The view that picture `index` shows; nil unless several views are requested.
  func view(of index: Int) -> View? {
    request.isMultiAngle && View.allCases.indices.contains(index) ? View.allCases[index] : nil
  }

  /// The provider request for picture `index`; the pictures it works from are filled in when they are ready.
  func imageRequest(index: Int) -> ImageRequest {
    let view = view(of: index)
    // The views of a head must agree, so none is told to differ from the others.
    var asked = request.imageRequest(variation: view == nil ? index : 0, view: view, template: template)
    // A provider on this machine always returns the same picture for the same variation.
    if provider.profile.isLocal { asked.variation += repetition?.firstVariation ?? 0 }
    return asked
  }

  /// The version of the engineered prompt, if the model receives one.
  var promptVersion: String? {
    if request.recipe == .places { return PlacesPrompt.version }
    return provider.profile.isLocal ? nil : PicturePrompt(for: request, variation: 0, template: template)?.version
  }
}

extension GenerationWork {
  /// The name under which a recorded request says that it came over a confined connection; no param has it.
  private static let confinedMember = "isConfined"

  func recordIsConfined(in params: inout JSONObject) {
    if isConfined { params[Self.confinedMember] = true }
  }

  static func isConfined(recordedIn params: JSONObject) -> Bool { params[confinedMember]?.bool == true }
}

extension DurationEstimator.Kind {
  init(_ work: GenerationWork) { self.init(provider: work.provider.id, recipe: work.request.recipe) }
}

extension Generate {
  /// The request with implied values filled in, so that history shows how the picture was to look.
  public var completed: Generate {
    var request = self
    if recipe == .headshot {
      var background = style?.background ?? .usual
      if output?.crop == .passport, background == .usual { background = .white }
      request.style = Style(angle: style?.angle, background: background)
    }
    return request
  }

  /// The provider request for one picture, without the pictures it works from.
  /// - Parameters:
  ///   - view: the view of the head for a hairstyle; nil keeps the camera where it was.
  ///   - template: the contribution of the named template.
  func imageRequest(variation: Int, view: View? = nil, template: TemplateUse? = nil) -> ImageRequest {
    let prompt = PicturePrompt(for: self, variation: variation, view: view, template: template)
    var asked = ImageRequest(
      recipe: recipe, prompt: prompt?.text, style: style, variation: variation, model: model,
      temperature: prompt?.temperature ?? temperature, seed: seed, aspectRatio: output?.aspectRatio,
      size: output?.size, format: output?.format, quality: output?.quality,
      crop: output?.crop, timeoutMs: 0)
    asked.count = resultCount
    asked.wantsMatte = output?.matte ?? false
    asked.maximumBytes = output?.maxBytes
    asked.minimumBytes = output?.minBytes
    asked.passportSize = output?.passportSize
    asked.headHeight = output?.headHeight
    asked.isTemperatureOurs = temperature == nil
    return asked
  }
}
