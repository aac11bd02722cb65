import AtelierProtocol
import Credentials
import CurlHTTP
import Engine
import Imaging
import Providers

/// Assembles the enabled providers, the one on this machine first.
struct ProviderAssembly: Sendable {
  let gemini: CloudSettings
  let openAI: OpenAISettings
  private let geocoding: GeocoderSettings?
  // One client for all: its thread and libcurl are loaded with the first request, not before.
  let http = CurlClient(CurlSettings(environment: Self.certificates))
  private let prices: PriceTable
  private let disabled: Set<ProviderID>
  private let order: ProviderOrder
  private let passports: PassportTable

  /// - Throws: ``ConfigurationFault`` for an invalid value in the file, `CommandFailure` for one in the environment.
  init(_ file: ConfigurationFile) throws {
    gemini = try CloudSettings.gemini.applying(
      file.providers?.gemini, baseURL: Self.variable("GOOGLE_GEMINI_BASE_URL"), of: "gemini")
    openAI = OpenAISettings(
      cloud: try OpenAISettings.standard.applying(
        file.providers?.openai, baseURL: Self.variable("OPENAI_BASE_URL"), of: "openai"))
    geocoding = try file.geocoder?.settings()
    prices = PriceTable.defaults.merging(file.prices ?? PriceTable())
    disabled = try file.providers?.disabled() ?? []
    passports = try file.pictures?.passportTable() ?? .builtIn
    order = try file.providerOrder(disabled: disabled)
  }

  func registry(worker: ImagingWorker, keys: any APIKeySource) -> ProviderRegistry {
    let cloud: [any ImageProvider] = [
      GeminiProvider(settings: gemini, http: http, keys: keys, prices: prices),
      OpenAIProvider(settings: openAI, http: http, keys: keys, prices: prices),
    ].filter { !disabled.contains($0.id) }
    let device = OnDeviceProvider(worker: worker, alternatives: cloud.map(\.id), passports: passports)
    return ProviderRegistry(
      (disabled.contains(device.id) ? [] : [device]) + cloud, disabled: disabled, order: order)
  }

  /// Nil when the operator configured none.
  var geocoder: NominatimGeocoder? { geocoding.map { NominatimGeocoder(settings: $0, http: http) } }

  private static func variable(_ name: String) -> (name: String, value: String?) { (name, Environment.value(of: name)) }

  static var certificates: [String: String] {
    var variables: [String: String] = [:]
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"] { variables[name] = Environment.value(of: name) }
    return variables
  }
}
