import AtelierProtocol
import Engine
import Imaging
import Receipts
import Store

extension ConfigurationFile {
  /// Grants, costs and prices of credits, and the apps whose purchases are accepted: all members of one object.
  struct Credits: Decodable, Sendable {
    var values: CreditValues
    /// The apps, by their platforms; purchases from a platform that is absent are refused.
    var purchases: PurchaseConfiguration

    init(from decoder: any Decoder) throws {
      values = try CreditValues(from: decoder)
      purchases = try PurchaseConfiguration(from: decoder)
    }
  }

  /// Grants, costs and prices of credits.
  struct CreditValues: Codable, Sendable, Equatable {
    /// Whether credits are counted: off for hosts that count themselves.
    var metering: Metering?
    /// Credits of an account on its first use.
    var guest: Int?
    /// Credits of an identity on its first sign-in.
    var free: Int?
    /// Credits for a month of premium that an operator grants.
    var premium: Int?
    /// How long refunded credits that have already expired may still be spent, in days.
    var makegoodDays: Int?
    /// The products for sale, in place of the default ones.
    var products: [CreditProduct]?
    /// The costs of pictures, in place of the providers' costs.
    var costs: [Cost]?
    /// Limits on how often an account may send requests.
    var limits: Limits?
  }

  /// Whether credits are counted.
  enum Metering: String, Codable, Sendable, CaseIterable {
    case on, off
  }

  /// What each of some pictures costs.
  struct Cost: Codable, Sendable, Equatable {
    var provider: ProviderID
    /// Absent for all.
    var recipe: Recipe?
    /// Absent for both.
    var mode: Generate.OutputMode?
    var credits: Int
  }

  /// Limits on how often an account may send requests; 0 removes a limit.
  struct Limits: Codable, Sendable, Equatable {
    /// Concurrent generations.
    var concurrent: Int?
    /// Requests of a guest per hour.
    var guestsPerHour: Int?
    var headshot: Windows?
    var hairstyle: Windows?
    var edit: Windows?
    var create: Windows?
    var places: Windows?
  }

  /// Limits on how often a recipe may be requested; 0 removes a limit.
  struct Windows: Codable, Sendable, Equatable {
    /// Within 60 s.
    var perMinute: Int?
    /// From midnight to midnight, UTC.
    var perDay: Int?
  }
}

extension ConfigurationFile.Credits {
  /// The defaults with the file's values applied.
  /// - Throws: ``ConfigurationFault`` for an invalid value, naming the member.
  func policy() async throws -> CreditPolicy {
    var policy = try values.policy()
    do {
      policy.purchases = try await purchases.registry(selling: policy.products, readingWith: Self.readFile)
    } catch let fault as PurchaseConfigurationFault {
      throw ConfigurationFault("credits/\(fault.member)", fault.problem)
    }
    return policy
  }

  @Sendable private static func readFile(_ path: String) async throws -> [UInt8] {
    do {
      return try await PhotoFile.read(path, maximumBytes: 1 << 20)
    } catch let error as ImagingError {
      throw ReceiptConfigurationFailure.unreadableFile(reason: error.message)
    }
  }
}

extension ConfigurationFile.CreditValues {
  fileprivate func policy() throws -> CreditPolicy {
    var policy = CreditPolicy()
    policy.isMetered = metering != .off
    try apply(to: &policy.rules)
    if let products { policy.products = try Self.checked(products) }
    policy.costs = CreditCosts(try (costs ?? []).enumerated().map { try Self.checked($1, at: $0) })
    if let limits { policy.limits = try limits.applied() }
    return policy
  }

  private func apply(to rules: inout CreditRules) throws {
    rules.guestCredits = try MemberRange.credits.checked(guest, "guest") ?? rules.guestCredits
    rules.freeCredits = try MemberRange.credits.checked(free, "free") ?? rules.freeCredits
    rules.premiumCredits = try MemberRange.credits.checked(premium, "premium") ?? rules.premiumCredits
    if let days = try MemberRange(1...3650).checked(makegoodDays, "makegoodDays") {
      rules.makegoodLifetimeMs = Int64(days) * 86_400_000
    }
  }

  private static func checked(
    _ cost: ConfigurationFile.Cost, at index: Int
  ) throws -> CreditCosts.Rule {
    _ = try MemberRange(0...1_000).checked(cost.credits, "costs/\(index)/credits")
    if cost.mode == .multiAngle, let recipe = cost.recipe, recipe != .hairstyle {
      throw ConfigurationFault(
        "credits/costs/\(index)/mode", "must be single: only a hairstyle is shown from several angles.")
    }
    return CreditCosts.Rule(
      provider: cost.provider, recipe: cost.recipe, mode: cost.mode, credits: cost.credits)
  }

  private static func checked(_ products: [CreditProduct]) throws -> [CreditProduct] {
    for (index, product) in products.enumerated() {
      let member = "products/\(index)"
      _ = try MemberRange(1...1_000_000).checked(product.credits, "\(member)/credits")
      if (product.kind == .subscription) != (product.period != nil) {
        let expected = product.kind == .subscription ? "month for a subscription" : "left out for a bundle"
        throw ConfigurationFault("credits/\(member)/period", "must be \(expected).")
      }
      if product.price.amount.wholeMatch(of: #/[0-9]{1,9}(\.[0-9]{1,4})?/#) == nil {
        throw ConfigurationFault("credits/\(member)/price/amount", "must be decimal digits, such as 9.99.")
      }
      if product.price.currency.wholeMatch(of: #/[A-Z]{3}/#) == nil {
        throw ConfigurationFault("credits/\(member)/price/currency", "must be three capital letters, such as USD.")
      }
    }
    var names: [(String, (CreditProduct) -> String?)] = [("id", { $0.id.rawValue })]
    names += PurchasePlatform.allCases.map { platform in
      ("platforms/\(platform.rawValue)", { $0.platforms[platform] })
    }
    names.append(("platforms/web", \.platforms.web))
    for (member, name) in names {
      let all = products.compactMap(name)
      let indices = products.indices.filter { name(products[$0]) != nil }
      for (place, index) in indices.enumerated() where all[..<place].contains(all[place]) {
        throw ConfigurationFault(
          "credits/products/\(index)/\(member)", "must be another than that of the products before.")
      }
    }
    return products
  }
}

extension ConfigurationFile.Limits {
  /// The defaults with these values applied.
  fileprivate func applied() throws -> [UsageLimit] {
    let windows: [Recipe: ConfigurationFile.Windows?] = [
      .headshot: headshot, .hairstyle: hairstyle, .edit: edit, .create: create, .places: places,
    ]
    return try UsageLimit.standard.compactMap { limit in
      let (given, member): (Int?, String) =
        switch (limit.window, limit.recipe) {
        case (.concurrent, _): (concurrent, "concurrent")
        case (.hour, _): (guestsPerHour, "guestsPerHour")
        case (.minute, let recipe?): (windows[recipe]??.perMinute, "\(recipe.rawValue)/perMinute")
        case (.day, let recipe?): (windows[recipe]??.perDay, "\(recipe.rawValue)/perDay")
        case (.minute, nil), (.day, nil): (nil, "")
        }
      var limit = limit
      limit.limit = try MemberRange(0...1_000_000).checked(given, "limits/\(member)") ?? limit.limit
      return limit.limit == 0 ? nil : limit
    }
  }
}

/// The allowed range of a number in this part of the file.
private struct MemberRange {
  static let credits = MemberRange(0...1_000_000)

  var range: ClosedRange<Int>

  init(_ range: ClosedRange<Int>) { self.range = range }

  func checked(_ value: Int?, _ member: String) throws -> Int? {
    guard let value, !range.contains(value) else { return value }
    throw ConfigurationFault("credits/\(member)", "must be from \(range.lowerBound) to \(range.upperBound).")
  }
}
