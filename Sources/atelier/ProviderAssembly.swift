import Credentials
import CurlHTTP
import Engine
import Imaging
import Providers

/// Puts the providers together, in the order in which they are tried when a host names none: those that need a key
/// first, for who sets one wants it used.
struct ProviderAssembly: Sendable {
  let gemini: CloudSettings
  let openAI: OpenAISettings
  let prices: PriceTable

  /// - Throws: `CommandFailure` for a value of the configuration or the environment that makes no sense.
  init(_ file: ConfigurationFile) throws {
    gemini = try CloudSettings.gemini.applying(
      file.providers?.gemini, baseURL: Self.variable("GOOGLE_GEMINI_BASE_URL"), of: "gemini")
    openAI = OpenAISettings(
      cloud: try OpenAISettings.standard.applying(
        file.providers?.openai, baseURL: Self.variable("OPENAI_BASE_URL"), of: "openai"))
    prices = PriceTable.defaults.merging(file.prices ?? PriceTable())
  }

  func registry(worker: ImagingWorker, keys: any APIKeySource) -> ProviderRegistry {
    // One client for both: its thread and libcurl are there from the first request on, not before.
    let http = CurlClient(CurlSettings(environment: Self.certificates))
    return ProviderRegistry([
      GeminiProvider(settings: gemini, http: http, keys: keys, prices: prices),
      OpenAIProvider(settings: openAI, http: http, keys: keys, prices: prices),
      OnDeviceProvider(worker: worker),
    ])
  }

  private static func variable(_ name: String) -> (name: String, value: String?) { (name, Environment.value(of: name)) }

  private static var certificates: [String: String] {
    var variables: [String: String] = [:]
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"] { variables[name] = Environment.value(of: name) }
    return variables
  }
}
