import AtelierProtocol
import Engine
import Providers

extension ConfigurationFile {
  /// The settings of the providers.
  struct Providers: Codable, Sendable, Equatable {
    /// The order of the providers for requests that name none.
    var order: [ProviderID]?
    var ondevice: DeviceConfiguration?
    var gemini: CloudConfiguration?
    var openai: CloudConfiguration?
  }

  /// The settings of the provider on this machine.
  struct DeviceConfiguration: Codable, Sendable, Equatable {
    /// false: the provider is not used at all.
    var enabled: Bool?
  }
}

extension ConfigurationFile.Providers {
  /// The disabled providers.
  /// - Throws: ``ConfigurationFault`` when no provider is left.
  func disabled() throws -> Set<ProviderID> {
    let switches: [(ProviderID, Bool?)] = [
      (.ondevice, ondevice?.enabled), (.gemini, gemini?.enabled), (.openai, openai?.enabled),
    ]
    let disabled = Set(switches.filter { $0.1 == false }.map(\.0))
    if disabled.count == switches.count { throw ConfigurationFault("providers", "must leave at least one enabled.") }
    return disabled
  }
}

extension ConfigurationFile {
  /// The order of providers, overall and by recipe.
  /// - Throws: ``ConfigurationFault`` for an order that is empty, or names a provider twice, an unknown or a disabled
  ///   one.
  func providerOrder(disabled: Set<ProviderID>) throws -> ProviderOrder {
    func checked(_ ids: [ProviderID]?, _ member: String) throws -> [ProviderID]? {
      guard let ids else { return nil }
      guard !ids.isEmpty, Set(ids).count == ids.count, ids.allSatisfy(ProviderID.all.contains) else {
        let names = ProviderID.all.map(\.rawValue).joined(separator: ", ")
        throw ConfigurationFault(member, "must list at least one of \(names), each once.")
      }
      if let id = ids.first(where: disabled.contains) {
        throw ConfigurationFault(member, "must not list \(id.rawValue), which is disabled.")
      }
      return ids
    }
    var order = ProviderOrder(overall: try checked(providers?.order, "providers/order"))
    for (recipe, settings) in recipes?.given ?? [] {
      order.byRecipe[recipe] = try checked(settings.providers, "recipes/\(recipe.rawValue)/providers")
    }
    return order
  }
}

extension CloudSettings {
  /// These settings with the values of the operator and the environment applied.
  /// - Parameters:
  ///   - configuration: the values of the configuration file.
  ///   - baseURL: the environment variable for the URL, and its value; it takes precedence over the file.
  ///   - provider: the provider of these settings, for the message.
  /// - Throws: ``ConfigurationFault`` for an invalid value in the file, `CommandFailure` for one in the environment.
  func applying(
    _ configuration: CloudConfiguration?, baseURL: (name: String, value: String?), of provider: String
  ) throws -> CloudSettings {
    var settings = self
    if let configuration {
      do throws(CloudConfigurationProblem) {
        settings = try applying(configuration)
      } catch {
        throw ConfigurationFault("providers/\(provider)/\(error.member)", "must be \(error.expected).")
      }
    }
    guard let value = baseURL.value else { return settings }
    do throws(CloudConfigurationProblem) {
      return try settings.applying(CloudConfiguration(baseUrl: value))
    } catch {
      throw CommandFailure(sentence: "\(baseURL.name) must be \(error.expected).")
    }
  }
}
