import AtelierProtocol
import Imaging
import JSON
import Localization

/// Headshots made on this machine: no key, no network, no cost.
public struct OnDeviceProvider: ImageProvider {
  /// The model name recorded in history: it stands for the three networks and the pipeline around them.
  public static let model = "portrait-1"

  public let id = ProviderID.ondevice
  public private(set) var profile = ProviderProfile(
    title: "On this device", recipes: [.headshot], models: [model], isLocal: true, creditsPerImage: 0,
    usdPerImage: 0, output: StylesList.OutputChoices(
      formats: [.jpeg, .png, .webp], aspectRatios: OnDeviceShape.aspectRatios,
      minimumSize: OnDeviceShape.sizes.lowerBound, maximumSize: OnDeviceShape.sizes.upperBound,
      defaultSize: OnDeviceShape.usualSize, crops: PictureCrop.allCases,
      passportSizes: PassportSize.common, matte: true))
  /// Two, so that one image can be read or stored while another is computed.
  public let maximumConcurrentImages = 2

  private let worker: ImagingWorker
  /// The other providers of headshots; a refusal names them, because none of them is asked unless it is named.
  private let alternatives: [ProviderID]
  private let passports: PassportTable

  public init(worker: ImagingWorker, alternatives: [ProviderID] = [], passports: PassportTable = .builtIn) {
    self.worker = worker
    self.passports = passports
    profile.output?.passportPresets = passports.presets
    self.alternatives = alternatives
  }

  public func availability() async -> ProviderAvailability {
    ProviderAvailability(available: true)
  }

  public func dependencies() async -> [String] { await worker.operatorNetworks() }

  public func warmUp() {
    Task { await worker.warmUp() }
  }

  public func check(_ request: ImageRequest) throws(AtelierError) {
    guard request.recipe == .headshot else {
      throw unsupported("This device can make headshots only, not the recipe “\(request.recipe.rawValue)”.")
    }
    _ = try shape(of: request)
    _ = try bytes(of: request)
    if let model = request.model, model != Self.model {
      throw unsupported("This device has one model, “\(Self.model)”. Leave `model` out.")
    }
    if request.count > 1, request.style?.background == .keep {
      throw onlyHere(
        "This device varies the backdrop, and the photo's own stays as it is: leave count out, or choose another "
          + "background.")
    }
    if request.count > 1, request.style?.background?.isFlat == true {
      throw unsupported(
        "This device varies the backdrop, and a flat background has only one: leave count out, or choose another "
          + "background.")
    }
  }

  private func shape(of request: ImageRequest) throws(AtelierError) -> HeadshotShape {
    let passport = try passport(of: request)
    let shape = OnDeviceShape.shape(
      size: passport?.size ?? request.size, aspectRatio: request.aspectRatio, crop: request.crop,
      passport: passport?.photo)
    if let shape { return shape }
    if passport != nil {
      let sizes = OnDeviceShape.exactSizes
      throw onlyHere(
        "A photo for a passport has \(sizes.lowerBound) to \(sizes.upperBound) pixels on each side, and is at least as high "
          + "as wide and at most twice as high. Choose such a size.")
    }
    let sizes = OnDeviceShape.sizes
    throw unsupported(
      "This device makes the aspect ratios \(OnDeviceShape.aspectRatios.joined(separator: ", ")), with "
        + "\(sizes.lowerBound) to \(sizes.upperBound) pixels on the longest side. "
        + "Choose an aspectRatio and a size of these.")
  }

  /// What a photo for a passport has to be, and its size in pixels if the preset has one; nil for another picture.
  private func passport(of request: ImageRequest) throws(AtelierError) -> (photo: PassportPhoto, size: String?)? {
    guard request.crop == .passport else { return nil }
    do throws(PassportTable.Problem) {
      let photo = try passports.photo(
        of: request.passportSize, head: request.headHeight, pixels: OnDeviceShape.exactSides(request.size))
      return (photo, request.size == nil ? passports.preset(of: request.passportSize)?.pixels : nil)
    } catch {
      throw onlyHere(error.sentence)
    }
  }

  /// How many bytes the file has at least and at most: what the request says, otherwise the preset.
  private func bytes(of request: ImageRequest) throws(AtelierError) -> (least: Int?, most: Int?) {
    let preset = request.crop == .passport ? passports.preset(of: request.passportSize) : nil
    let most = request.maximumBytes ?? (format(of: request).hasQuality ? preset?.maxBytes : nil)
    let least = request.minimumBytes ?? preset?.minBytes
    if let least, let most, least > most {
      throw onlyHere(
        "With the limits of the size for passports, the file would need at least \(least) and at most \(most) bytes: "
          + "change minBytes or maxBytes.")
    }
    return (least, most)
  }

  private func format(of request: ImageRequest) -> PictureFormat {
    request.format ?? .standard(for: request.style?.background)
  }

  /// The refusal of what no other provider makes either.
  private func onlyHere(_ sentence: Sentence) -> AtelierError {
    AtelierError(.unsupportedByProvider, sentence, provider: id)
  }

  /// The refusal with this reason, and the providers that the request can name instead.
  private func unsupported(_ sentence: Sentence, hint: String? = nil, details: JSONObject = [:]) -> AtelierError {
    var sentence = sentence
    let names = alternatives.map { "“\($0.rawValue)”" }
    if !names.isEmpty {
      sentence = sentence.followed(
        by: "Or choose another provider, to which the photo is then sent: \(names.joined(separator: ", ")).")
    }
    return AtelierError(.unsupportedByProvider, sentence, hint: hint, provider: id, details: details)
  }

  public func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    try check(request)
    guard let photo = request.photo, let style = request.style else {
      throw AtelierError(.wrongRecipeInput, "A headshot needs an image and a style.", provider: id)
    }
    let background = style.background ?? .usual
    let bytes = try bytes(of: request)
    let job = HeadshotJob(
      background: background, angle: style.angle?.value, variation: request.variation,
      format: format(of: request), quality: request.quality, maximumBytes: bytes.most, minimumBytes: bytes.least,
      shape: try shape(of: request),
      wantsMatte: request.wantsMatte,
      preparation: request.wantsPreparedPhoto ? PrepareJob(limits: .generation) : nil)
    do {
      let made = try await worker.headshot(photo, options: job, deadline: .milliseconds(request.timeoutMs)) {
        step, fraction in
        progress(ImageProgress(phase: .processing, message: step.sentence, fraction: fraction))
      }
      var image = ProviderImage(
        bytes: made.image.bytes, mimeType: made.image.mimeType, width: made.image.width, height: made.image.height,
        model: Self.model, usage: Usage(inputTokens: 0, outputTokens: 0, costUsd: 0),
        warnings: made.warnings.map { Warning(kind: $0.kind, message: $0.message) })
      image.matte = made.matte
      image.preparedPhoto = made.prepared?.image
      return image
    } catch let error as ImagingError where error.kind == .unsupportedByProvider {
      throw unsupported(error.sentence, details: error.details)
    } catch let error as ImagingError {
      throw AtelierError(error.kind, error.sentence, provider: id, details: error.details)
    }
  }
}

extension HeadshotStep {
  /// The message shown to a person during this step.
  var sentence: Sentence {
    switch self {
    case .decoding: "Reading your photo…"
    case .locating: "Finding your face…"
    case .cropping: "Framing the portrait…"
    case .segmenting, .matting: "Separating you from the background…"
    case .lighting: "Balancing the light…"
    case .composing: "Setting the background…"
    case .finishing, .encoding: "Finishing your headshot…"
    }
  }
}
