import AtelierProtocol

extension ConfigurationFile {
  /// What credits are given for, what costs them and what they are sold as.
  struct Credits: Codable, Sendable, Equatable {
    /// Credits of an account that is seen for the first time.
    var guest: Int?
    /// Credits of an identity that signs in for the first time.
    var free: Int?
    /// Credits of a month of premium that an operator gives.
    var premium: Int?
    /// How long credits may be spent that come back after their time was over, in days.
    var makegoodDays: Int?
    /// What is sold, in place of what is sold by default.
    var products: [CreditProduct]?
    /// What pictures cost, over what their providers do.
    var costs: [Cost]?
    /// How often an account may ask.
    var limits: Limits?
    /// Whose purchases in the App Store are taken; absent for nobody's.
    var apple: Apple?
    /// Whose purchases in Google Play are taken; absent for nobody's.
    var google: Google?
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

  /// How often an account may ask; 0 lifts a limit.
  struct Limits: Codable, Sendable, Equatable {
    /// Generations that run at a time.
    var concurrent: Int?
    /// Requests of a guest within an hour.
    var guestsPerHour: Int?
    var headshot: Windows?
    var hairstyle: Windows?
    var edit: Windows?
    var create: Windows?
    var places: Windows?
  }

  /// How often a recipe may be asked for; 0 lifts a limit.
  struct Windows: Codable, Sendable, Equatable {
    /// Within 60 s.
    var perMinute: Int?
    /// From midnight to midnight, UTC.
    var perDay: Int?
  }

  /// An app in the App Store.
  struct Apple: Codable, Sendable, Equatable {
    var bundleId: String
    /// Files of the certificates that are trusted, in place of Apple's own.
    var rootCertificates: [String]?
    /// Whether purchases without money count, for tests.
    var allowSandbox: Bool?
  }

  /// An app in Google Play.
  struct Google: Codable, Sendable, Equatable {
    var packageName: String
    /// The licensing key of the Play Console.
    var publicKey: String
  }
}
