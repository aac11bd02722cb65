import AtelierProtocol
import Credentials
import CurlHTTP
import JSON
import Localization

/// Google's image models.
///
/// Makes one attempt at one image with one `generateContent` call, and reports everything known about a failure in its
/// errors; the engine decides whether to retry.
public struct GeminiProvider: ImageProvider {
  public let id = ProviderID.gemini
  public let profile: ProviderProfile
  public var maximumConcurrentImages: Int { settings.maximumConcurrentImages }

  let settings: CloudSettings
  let http: any HTTPPerforming
  let keys: any APIKeySource
  let prices: PriceTable

  public init(
    settings: CloudSettings = .gemini, http: any HTTPPerforming, keys: any APIKeySource, prices: PriceTable = .defaults
  ) {
    self.settings = settings
    self.http = http
    self.keys = keys
    self.prices = prices
    profile = ProviderProfile(
      title: "Google Gemini", recipes: [.headshot, .hairstyle, .edit, .create, .places], models: settings.models,
      textModels: [settings.textModel], isLocal: false, isServedHere: settings.baseURL.isOnThisMachine, creditsPerImage: 1,
      usdPerImage: prices.standardPrice(of: settings.model), prices: prices)
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

  public func warmUp() { http.warmUp() }

  public func probe() async throws {
    try await http.probe("\(settings.url("models"))?pageSize=1", connectLimitMs: settings.connectLimitMs, of: id)
  }

  public func check(_ request: ImageRequest) throws(AtelierError) {
    if request.recipe == .places {
      _ = try textModel(request.model)
    } else {
      _ = try model(for: request)
      try request.refuseWhatOnlyThisMachineMakes(at: id)
    }
  }

  public func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    let model = try model(for: request)
    let body = try GeminiBody(request, model: model)
    let key = try await key()
    let report = UploadReport(pictures: body.pictures.count, progress: progress)
    let call = HTTPRequest(
      .post, settings.url("models/\(model.name):generateContent"),
      headers: headers(key) + [
        HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("X-Server-Timeout", String(max(1, (request.timeoutMs + 999) / 1000))),
      ],
      body: body.encoded(), limits: settings.limits(totalMs: request.timeoutMs))
    let exchange: ReceivedExchange
    do {
      exchange = try await http.performKeepingWhatCame(call) { report.note($0) }
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw AtelierError(error, provider: id)
    }
    try Task.checkCancellation()
    let reading = GeminiReading(
      key: key, model: model.name, sentBytes: call.body?.count ?? 0, hasPictures: !body.pictures.isEmpty,
      prompt: request.prompt ?? "")
    let answer = try reading.answer(exchange)
    return answer.image(asked: request, model: model, prices: prices)
  }

  func headers(_ key: APIKey) -> [HTTPHeader] {
    [HTTPHeader("x-goog-api-key", key.text), HTTPHeader("User-Agent", "atelier/\(Version.current)")]
  }

  func key() async throws(AtelierError) -> APIKey {
    guard let key = try await keys.key(for: id) else {
      throw AtelierError(
        .noApiKey, "Gemini needs an API key: set one, or choose another provider.",
        hint: "Run `atelier credentials set gemini`, or set GEMINI_API_KEY.", provider: id)
    }
    return key
  }

  /// - Throws: `AtelierError` for an incomplete exchange, or `CancellationError`.
  func perform(
    _ request: HTTPRequest, event: @escaping @Sendable (HTTPTransferEvent) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    do {
      return try await http.perform(request, takesPieces: false, event: event)
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw AtelierError(error, provider: id)
    }
  }
}

extension GeminiProvider {
  /// The maximum number of images in a request.
  private static let maximumPictures = 3

  /// The model to use, after checking everything about the request that can be checked in advance.
  /// - Throws: `unsupported_by_provider`, `wrong_recipe_input` or `too_many_images`.
  func model(for request: ImageRequest) throws(AtelierError) -> GeminiModel {
    guard profile.recipes.contains(request.recipe) else {
      throw unsupported("Gemini cannot make “\(request.recipe.rawValue)” here. Choose another provider.")
    }
    guard let model = GeminiModel(checking: request.model ?? settings.model) else {
      throw unsupported("The name of a Gemini model has letters, digits, dots and dashes, as in \(settings.model).")
    }
    try checkShape(request, model)
    if let temperature = request.temperature, !(0...2).contains(temperature) {
      throw unsupported("Gemini takes a temperature from 0 to 2.")
    }
    guard let prompt = request.prompt, prompt.contains(where: { !$0.isWhitespace }) else {
      throw AtelierError(.wrongRecipeInput, "Gemini needs a prompt: say in words what to make.", provider: id)
    }
    let pictures = (request.photo == nil ? 0 : 1) + request.references.count
    guard pictures <= Self.maximumPictures else {
      throw AtelierError(
        .tooManyImages, provider: id,
        details: ["images": .number(JSONNumber(pictures)), "maximum": .number(JSONNumber(Self.maximumPictures))])
    }
    return model
  }

  private func checkShape(_ request: ImageRequest, _ model: GeminiModel) throws(AtelierError) {
    if let ratio = request.aspectRatio, !model.aspectRatios.contains(ratio) {
      throw unsupported(
        "\(model.name) makes the aspect ratios \(model.aspectRatios.joined(separator: ", ")). Choose one of them.",
        ["aspectRatios": .array(model.aspectRatios.map(JSONValue.string))])
    }
    if let size = request.size, model.size(size) == nil {
      throw unsupported(
        "\(model.name) makes pictures of the sizes \(model.sizes.joined(separator: ", ")). Choose one of them.",
        ["sizes": .array(model.sizes.map(JSONValue.string))])
    }
  }

  private func unsupported(_ sentence: Sentence, _ details: JSONObject = [:]) -> AtelierError {
    AtelierError(.unsupportedByProvider, sentence, provider: id, details: details)
  }
}
