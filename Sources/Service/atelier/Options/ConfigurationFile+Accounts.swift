import AtelierProtocol
import Encodings
import Engine
import Identities
import Providers

extension ConfigurationFile {
  /// Who may say who an account's owner is, and what owners must accept.
  struct Accounts: Decodable, Sendable, Equatable {
    /// The issuers whose identity tokens sign people in; absent if there are none.
    var issuers: [Issuer]?
    /// Whether an account must have accepted the terms of use.
    var requireConsent: ConsentChoice?
  }

  /// An issuer of identity tokens.
  struct Issuer: Codable, Sendable, Equatable {
    /// The provider of its identities, such as `google`.
    var id: String
    /// What its tokens have in `iss`.
    var issuer: String
    /// What its tokens may have in `aud`.
    var audiences: [String]
    /// The URL or the file of its key set.
    var keys: String
  }

  /// `true` for any version of the terms of use, a text for one of them, `false` for none.
  enum ConsentChoice: Decodable, Sendable, Equatable {
    case none, anyVersion
    case version(String)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let isRequired = try? value.decode(Bool.self) {
        self = isRequired ? .anyVersion : .none
      } else {
        self = .version(try value.decode(String.self))
      }
    }
  }
}

extension ConfigurationFile.Accounts {
  /// The issuers, checked. Files of keys are not read: one that cannot be read refuses sign-ins, not the start.
  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func identityIssuers() throws -> [IdentityIssuer] {
    let issuers = issuers ?? []
    for (index, issuer) in issuers.enumerated() {
      let before = issuers[..<index]
      if before.contains(where: { ExactText.areSame($0.id, issuer.id) }) { throw Self.repeated(index, "id") }
      if before.contains(where: { ExactText.areSame($0.issuer, issuer.issuer) }) { throw Self.repeated(index, "issuer") }
    }
    return try issuers.enumerated().map { try Self.checked($1, "accounts/issuers/\($0)") }
  }

  /// The version of the terms of use that is required, checked; nil if none is.
  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func requiredConsent() throws -> RequiredConsent? {
    switch requireConsent {
    case .anyVersion: return RequiredConsent()
    case .version(let version):
      guard ConsentVersion.allows(version) else {
        throw ConfigurationFault(
          "accounts/requireConsent", "must be true, or a version of 1 to \(ConsentVersion.maximum) characters.")
      }
      return RequiredConsent(version: version)
    case nil, .some(.none): return nil
    }
  }

  private static func repeated(_ index: Int, _ member: String) -> ConfigurationFault {
    ConfigurationFault("accounts/issuers/\(index)/\(member)", "must be another than that of the issuers before.")
  }

  private static func checked(_ issuer: ConfigurationFile.Issuer, _ member: String) throws -> IdentityIssuer {
    guard IdentityProviderName.allows(issuer.id) else {
      throw ConfigurationFault("\(member)/id", "must be \(IdentityProviderName.expected).")
    }
    guard !issuer.issuer.isEmpty else { throw ConfigurationFault("\(member)/issuer", "must not be empty.") }
    guard !issuer.audiences.isEmpty else {
      throw ConfigurationFault("\(member)/audiences", "must name at least one app: the tokens of others are not for it.")
    }
    for (index, audience) in issuer.audiences.enumerated() where audience.isEmpty {
      throw ConfigurationFault("\(member)/audiences/\(index)", "must not be empty.")
    }
    guard let keys = KeySetLocation(configured: issuer.keys) else {
      throw ConfigurationFault(
        "\(member)/keys", "must be an https address, or http on this machine, or the path of a file.")
    }
    return IdentityIssuer(id: issuer.id, issuer: issuer.issuer, audiences: issuer.audiences, keys: keys)
  }
}

extension KeySetLocation {
  /// - Returns: nil for anything but a URL that may be asked, or a path; a relative one begins where the service was
  ///   started.
  init?(configured text: String) {
    guard text.contains("://") else {
      if text.isEmpty || text.utf8.contains(0) { return nil }
      self = .file(text)
      return
    }
    // A base URL has neither a query nor a slash at its end; the URL of a key set may have both.
    let path = text.prefix { $0 != "?" }
    let query = text[path.endIndex...]
    guard let base = BaseURL(String(path)), query.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    self = .url(base.text + path.reversed().prefix { $0 == "/" } + query)
  }
}
