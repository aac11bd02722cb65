import AtelierProtocol

/// The operator's configuration of all platforms: an optional member for each, which has its name.
public struct PurchaseConfiguration: Decodable, Sendable {
  private var platforms: [any ConfiguredPlatform] = []

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: PlatformName.self)
    for platform in PurchasePlatform.allCases {
      if let configured = try Self.configured(platform.verifier, in: members) { platforms.append(configured) }
    }
  }

  private static func configured<Verifier: PurchaseVerifier>(
    _ verifier: Verifier.Type, in members: KeyedDecodingContainer<PlatformName>
  ) throws -> (any ConfiguredPlatform)? {
    let configuration = try members.decodeIfPresent(
      Verifier.Configuration.self, forKey: PlatformName(Verifier.platform))
    return configuration.map(Configured<Verifier>.init)
  }

  /// The verifiers of the configured platforms.
  /// - Parameters:
  ///   - products: the products for sale.
  ///   - readFile: reads a file that the configuration names.
  /// - Throws: ``PurchaseConfigurationFault`` for the first value that cannot be used, whose member begins with the
  ///   platform; or `CancellationError`.
  public func registry(
    selling products: [CreditProduct], readingWith readFile: ConfiguredFileReader
  ) async throws -> PurchaseRegistry {
    var verifiers: [any PurchaseVerifier] = []
    for platform in platforms {
      verifiers.append(try await platform.verifier(selling: products, readingWith: readFile))
    }
    return PurchaseRegistry(verifiers)
  }
}

/// The name of a platform as that of a member.
private struct PlatformName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ platform: PurchasePlatform) { stringValue = platform.rawValue }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A platform's configuration, whichever platform it is.
private protocol ConfiguredPlatform: Sendable {
  func verifier(
    selling products: [CreditProduct], readingWith readFile: ConfiguredFileReader
  ) async throws -> any PurchaseVerifier
}

private struct Configured<Verifier: PurchaseVerifier>: ConfiguredPlatform {
  let configuration: Verifier.Configuration

  func verifier(
    selling products: [CreditProduct], readingWith readFile: ConfiguredFileReader
  ) async throws -> any PurchaseVerifier {
    let productIDs = Set(products.compactMap { $0.platforms[Verifier.platform] })
    do {
      return try await Verifier(configuration, selling: productIDs, readingWith: readFile)
    } catch let fault as PurchaseConfigurationFault {
      throw PurchaseConfigurationFault("\(Verifier.platform.rawValue)/\(fault.member)", fault.problem)
    }
  }
}
