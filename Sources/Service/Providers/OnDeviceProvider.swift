import AtelierProtocol
import Imaging
import JSON
import Localization

/// Headshots made on this machine: no key, no network, no cost.
public struct OnDeviceProvider: ImageProvider {
  /// The model name recorded in history: it stands for the three networks and the pipeline around them.
  public static let model = "portrait-1"

  public let id = ProviderID.ondevice
  public let profile = ProviderProfile(
    title: "On this device", recipes: [.headshot], models: [model], isLocal: true, creditsPerImage: 0,
    usdPerImage: 0, output: StylesList.OutputChoices(
      formats: [.jpeg, .png, .webp], aspectRatios: OnDeviceShape.aspectRatios,
      minimumSize: OnDeviceShape.sizes.lowerBound, maximumSize: OnDeviceShape.sizes.upperBound,
      defaultSize: OnDeviceShape.usualSize, crops: PictureCrop.allCases,
      passportSizes: PassportSize.allCases, matte: true))
  /// Two, so that one image can be read or stored while another is computed.
  public let maximumConcurrentImages = 2

  private let worker: ImagingWorker
  /// The other providers of headshots; a refusal names them, because none of them is asked unless it is named.
  private let alternatives: [ProviderID]

  public init(worker: ImagingWorker, alternatives: [ProviderID] = []) {
    self.worker = worker
    self.alternatives = alternatives
  }

  public func availability() async -> ProviderAvailability {
    ProviderAvailability(available: true)
  }

  public func warmUp() {
    Task { await worker.warmUp() }
  }

  public func check(_ request: ImageRequest) throws(AtelierError) {
    guard request.recipe == .headshot else {
      throw unsupported("This device can make headshots only, not the recipe “\(request.recipe.rawValue)”.")
    }
    _ = try shape(of: request)
    if let model = request.model, model != Self.model {
      throw unsupported("This device has one model, “\(Self.model)”. Leave `model` out.")
    }
    if request.count > 1, request.style?.background?.isFlat == true {
      throw unsupported(
        "This device varies the backdrop, and a flat background has only one: leave count out, or choose another "
          + "background.")
    }
  }

  private func shape(of request: ImageRequest) throws(AtelierError) -> HeadshotShape {
    let shape = OnDeviceShape.shape(
      size: request.size, aspectRatio: request.aspectRatio, crop: request.crop, passportSize: request.passportSize)
    if let shape { return shape }
    let sizes = OnDeviceShape.sizes
    throw unsupported(
      "This device makes the aspect ratios \(OnDeviceShape.aspectRatios.joined(separator: ", ")), with "
        + "\(sizes.lowerBound) to \(sizes.upperBound) pixels on the longest side. "
        + "Choose an aspectRatio and a size of these.")
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
    let background = style.background ?? .professional
    let job = HeadshotJob(
      background: background, angle: style.angle?.value, variation: request.variation,
      format: request.format ?? .standard(for: background), quality: request.quality,
      maximumBytes: request.maximumBytes, shape: try shape(of: request), wantsMatte: request.wantsMatte,
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
