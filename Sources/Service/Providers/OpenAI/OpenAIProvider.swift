import AtelierProtocol
import Credentials
import CurlHTTP

/// Images from OpenAI's Images API, or from any compatible server, such as one on this machine.
///
/// The API accepts neither temperature nor seed: a request's values for them are ignored with a warning.
public struct OpenAIProvider: ImageProvider {
  public let id = ProviderID.openai
  public let profile: ProviderProfile
  public let maximumConcurrentImages: Int

  let settings: OpenAISettings
  let server: OpenAIServer
  let http: any HTTPPerforming
  let prices: PriceTable
  /// The fields that this server has turned out not to accept.
  let habits = OpenAIDialect()
  private let keys: any APIKeySource
  /// Waits between the attempts at a download.
  let sleep: @Sendable (Duration) async throws -> Void

  public init(
    settings: OpenAISettings = OpenAISettings(), http: any HTTPPerforming, keys: any APIKeySource,
    prices: PriceTable = .defaults,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.settings = settings
    self.sleep = sleep
    self.http = http
    self.keys = keys
    self.prices = prices
    server = OpenAIServer(settings.cloud)
    maximumConcurrentImages = settings.cloud.maximumConcurrentImages
    // OpenAI's list of models says nothing about another server's models.
    let isKnown = settings.cloud.furtherModels != OpenAISettings.standard.furtherModels || server.isOfficial
    profile = ProviderProfile(
      title: server.title, recipes: [.headshot, .hairstyle, .edit, .create, .places],
      models: isKnown ? settings.cloud.models : [settings.cloud.model], textModels: [settings.cloud.textModel],
      isLocal: false, isServedHere: server.isOnThisMachine, creditsPerImage: 1,
      usdPerImage: prices.standardPrice(of: settings.cloud.model), prices: prices)
  }

  public func availability() async -> ProviderAvailability {
    do throws(AtelierError) {
      _ = try await key()
      return ProviderAvailability(available: true)
    } catch {
      return ProviderAvailability(
        available: false, reason: error.sentence, hint: error.hint, needsKey: error.kind == .noApiKey)
    }
  }

  /// The key to send; nil for a server on this machine when there is none.
  /// - Throws: `no_api_key`, or the reason why an existing key cannot be read.
  func key() async throws(AtelierError) -> APIKey? {
    do throws(AtelierError) {
      if let key = try await keys.key(for: id) { return key }
    } catch {
      // A placeholder, a text that is no key, or a keyring that may have none does not matter where a key is seldom
      // required.
      let isAbsent =
        error.kind == .invalidApiKey
        || ["placeholder_key", "keyring_unavailable"].contains(error.details["reason"]?.string)
      guard server.isOnThisMachine, isAbsent else { throw error }
    }
    if server.isOnThisMachine { return nil }
    throw AtelierError(
      .noApiKey, "\(server.title) needs an API key: set one, or choose another provider.",
      hint: "Run `atelier credentials set openai`, or set OPENAI_API_KEY.", provider: id)
  }

  public func warmUp() { http.warmUp() }

  public func probe() async throws {
    try await http.probe(server.url("models"), connectLimitMs: settings.cloud.connectLimitMs, of: id)
  }

  public func check(_ request: ImageRequest) throws(AtelierError) {
    if request.recipe == .places { return }
    guard profile.recipes.contains(request.recipe) else {
      throw AtelierError(
        .unsupportedByProvider,
        "\(server.title) cannot make “\(request.recipe.rawValue)” here. Choose another provider.", provider: id)
    }
    guard let prompt = request.prompt, prompt.contains(where: { !$0.isWhitespace }) else {
      throw AtelierError(.wrongRecipeInput, "\(server.title) needs a prompt: say in words what to make.", provider: id)
    }
    _ = try OpenAISize(model: request.model ?? settings.cloud.model).text(
      size: request.size, aspectRatio: request.aspectRatio)
    try request.refuseWhatOnlyThisMachineMakes(at: id)
  }

  /// OpenAI lists all its models, of which only the image models are returned; other servers list the models they were
  /// started with.
  public func fetchModels() async throws -> [String] {
    let key = try await key()
    let response = try await perform(
      HTTPRequest(.get, server.url("models"), headers: headers(key), limits: settings.cloud.limits(totalMs: 15_000)))
    guard response.status == 200 else { throw ServerRefusal(response).error(context(key)) }
    let all = try models(in: response.body)
    let fitting = server.isOfficial ? all.filter { $0.contains("image") } : all
    let isDefault = { $0 == settings.cloud.model }
    return fitting.filter(isDefault) + fitting.filter { !isDefault($0) }.sorted()
  }

  public func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    try check(request)
    let key = try await key()
    var tellsUpload = true
    while true {
      let call = try OpenAICall(request, settings: settings, server: server, unwanted: await habits.unwanted)
      do {
        return try await make(call, request, key: key, tellsUpload: tellsUpload, progress: progress)
      } catch let failure as ServerRefusal {
        let fields = OpenAIField.allCases.filter(call.has)
        guard let field = failure.objection(to: fields, prompt: request.prompt ?? "") else {
          throw failure.error(context(key, request))
        }
        // The request was refused unprocessed, so repeating it without the field costs nothing. Each round removes one.
        await habits.add(field)
        tellsUpload = false
      }
    }
  }
}
