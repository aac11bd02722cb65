import AtelierClient
import Encodings
import JSON
import Localization
import POSIX
import PlaceLists

/// The configuration file of the host, as it is written. All members are optional.
struct ConfigurationFile: Decodable, Sendable {
  var language: String?
  var map: MapTiles?
  var places: Places?
  var leafletDirectory: String?
  var uploadSeconds: Int?
  var connections: Int?
  var service: Service?
  var `public`: Public?

  struct Service: Decodable, Sendable {
    var executable: String?
    var dataDirectory: String?
    var config: String?
  }

  struct Places: Decodable, Sendable {
    /// A CSV file.
    var list: String
  }

  struct Public: Decodable, Sendable {
    var origin: String
    var address: String?
    var port: Int?
    var sessionKeyFile: String
    var trustedProxies: [String]?
    var guests: Bool?
    var terms: PublicOptions.Terms?
    var signIn: [PublicOptions.SignIn]?
    var markPreviews: Bool?
    var limits: AddressLimits?
    var payment: Payment?
  }

  struct Payment: Decodable, Sendable {
    var checkoutUrl: String
    var secretFile: String
  }
}

/// A configuration file that cannot be used: one sentence, with the file, the line and the column of the fault.
public struct ConfigurationFailure: Error, Equatable {
  public var sentence: String
}

/// A value in the file that cannot be used.
struct ConfigurationFault: Error {
  /// The path of the member, such as `public/origin`.
  var member: String
  /// What is wrong with it, phrased to follow the member.
  var problem: String

  init(_ member: String, _ problem: String) { (self.member, self.problem) = (member, problem) }
}

extension HostOptions {
  /// The most bytes of a configuration file or a file with a secret.
  private static let mostBytes = 1 << 20

  /// Takes over what the file at `path` says.
  /// - Parameter isPublic: whether the public way is wanted.
  /// - Throws: ``ConfigurationFailure``.
  public mutating func read(_ path: String, isPublic: Bool) throws(ConfigurationFailure) {
    let bytes: [UInt8]
    do {
      bytes = try Self.content(of: path)
    } catch let error as FileFailure {
      throw ConfigurationFailure(sentence: "The configuration file cannot be read: “\(path)”: \(error.reason)")
    } catch {
      throw ConfigurationFailure(sentence: "The configuration file cannot be read: “\(path)”: \(error)")
    }
    let lines = JSONLines(bytes)
    func failure(_ position: JSONLines.Position, _ sentence: String) -> ConfigurationFailure {
      ConfigurationFailure(sentence: "\(path):\(position.line):\(position.column): \(sentence)")
    }
    do {
      let value = try JSONValue(parsing: bytes)
      let file = try JSONValueDecoder(unknownMembers: .reject).decode(ConfigurationFile.self, from: value)
      try take(file, isPublic: isPublic)
    } catch let error as JSONSyntaxError {
      throw failure(lines.position(at: error.offset), error.message)
    } catch let error as JSONDecodingFailure {
      throw failure(lines.position(of: error.path), error.message)
    } catch let fault as ConfigurationFault {
      throw failure(lines.position(of: "/\(fault.member)"), "/\(fault.member) \(fault.problem)")
    } catch {
      throw ConfigurationFailure(sentence: "\(path): \(error)")
    }
  }

  private static func content(of path: String) throws -> [UInt8] {
    let path = try FileSystem.resolved(path)
    if let status = try FileStatus(path: path), status.bytes > mostBytes {
      throw ConfigurationFailure(sentence: "The file “\(path)” is larger than \(mostBytes) bytes.")
    }
    return try FileSystem.readText(path)
  }

  private mutating func take(_ file: ConfigurationFile, isPublic: Bool) throws {
    if let tag = file.language {
      guard let language = Language(preferred: tag) else {
        let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
        throw ConfigurationFault("language", "must be one of \(known).")
      }
      self.language = language
    }
    if let map = file.map {
      guard map.origin != nil, ["{z}", "{x}", "{y}"].allSatisfy(map.tiles.contains) else {
        throw ConfigurationFault("map/tiles", "must be an address of http or https with {z}, {x} and {y}.")
      }
      self.map = map
    }
    if let list = file.places?.list { places = try Self.places(list) }
    if let folder = file.leafletDirectory { leafletDirectory = folder }
    if let seconds = file.uploadSeconds {
      guard (1...3600).contains(seconds) else { throw ConfigurationFault("uploadSeconds", "must be from 1 to 3600.") }
      uploadLimit = .seconds(seconds)
    }
    if let number = file.connections {
      guard (1...60_000).contains(number) else { throw ConfigurationFault("connections", "must be from 1 to 60000.") }
      connections = number
    }
    if let executable = file.service?.executable { service.service = .executable(executable) }
    service.dataDirectory = file.service?.dataDirectory ?? service.dataDirectory
    service.config = file.service?.config ?? service.config
    if let shop = file.public { self.shop = try Self.shop(shop, log) }
    if isPublic, shop == nil {
      throw ConfigurationFault("", "has no member public, which the public way needs.")
    }
    if !isPublic { shop = nil }
  }

  private static func places(_ path: String) throws -> PlaceList {
    do {
      return try PlaceList(csv: try FileSystem.read(try FileSystem.resolved(path)), path: path)
    } catch let error as FileFailure {
      throw ConfigurationFault("places/list", "cannot be read: \(error.reason).")
    } catch let error as PlaceListFailure {
      throw ConfigurationFault("places/list", "cannot be used: \(error.sentence)")
    }
  }

  private static func shop(
    _ file: ConfigurationFile.Public, _ log: @escaping @Sendable (String) -> Void
  ) throws -> PublicOptions {
    guard let origin = WebOrigin(ofURL: file.origin), file.origin == origin.text else {
      throw ConfigurationFault("public/origin", "must be the address that people see, such as https://studio.example.")
    }
    guard origin.isProtected else {
      throw ConfigurationFault("public/origin", "must begin with https: browsers give the camera to secure pages only.")
    }
    let port = file.port ?? 8080
    guard (0...65535).contains(port) else { throw ConfigurationFault("public/port", "must be from 0 to 65535.") }
    for (name, number, least) in limitNumbers(file.limits ?? AddressLimits()) where !(least...1_000_000).contains(number) {
      throw ConfigurationFault("public/limits/\(name)", "must be from \(least) to 1000000.")
    }
    for (index, place) in (file.signIn ?? []).enumerated() where !isProtected(place.authorizeUrl) {
      throw ConfigurationFault("public/signIn/\(index)/authorizeUrl", "must be an address of https.")
    }
    if let terms = file.terms, !isProtected(terms.url) {
      throw ConfigurationFault("public/terms/url", "must be an address of https.")
    }
    for (index, proxy) in (file.trustedProxies ?? []).enumerated() {
      if HostAddress(proxy).isAddress { continue }
      throw ConfigurationFault("public/trustedProxies/\(index)", "must be the address of a machine, such as 10.0.0.1.")
    }
    var payment: PublicOptions.Payment?
    if let file = file.payment {
      guard isProtected(file.checkoutUrl), file.checkoutUrl.contains("{reference}") else {
        throw ConfigurationFault(
          "public/payment/checkoutUrl", "must be an address of https with {reference}, and perhaps {product}.")
      }
      let secrets = try SecretFile(file.secretFile, of: "public/payment/secretFile", log: log)
      payment = PublicOptions.Payment(checkoutURL: file.checkoutUrl, secrets: secrets)
    }
    return PublicOptions(
      origin: origin, address: file.address ?? "127.0.0.1", port: port,
      sessionKeys: try SecretFile(file.sessionKeyFile, of: "public/sessionKeyFile", log: log),
      trustedProxies: Set((file.trustedProxies ?? ["127.0.0.1", "::1"]).map { HostAddress($0) }),
      allowsGuests: file.guests ?? true,
      terms: file.terms, signIn: file.signIn ?? [], marksPreviews: file.markPreviews ?? false,
      limits: file.limits ?? AddressLimits(), payment: payment)
  }

  private static func isProtected(_ url: String) -> Bool { WebOrigin(ofURL: url)?.isProtected ?? false }

  private static func limitNumbers(_ limits: AddressLimits) -> [(name: String, number: Int, least: Int)] {
    [
      ("guestRequestsPerHour", limits.guestRequestsPerHour, 1), ("requestsPerMinute", limits.requestsPerMinute, 1),
      ("guestsPerDay", limits.guestsPerDay, 1), ("giftsPerDay", limits.giftsPerDay, 0),
      ("photosPerMinute", limits.photosPerMinute, 1),
    ]
  }
}
