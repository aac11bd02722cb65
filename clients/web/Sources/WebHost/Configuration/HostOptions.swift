import AtelierClient
import Encodings
import Localization
import PlaceLists

/// How the host runs: what the command line and the configuration say.
public struct HostOptions: Sendable {
  /// The port on this machine; nil for the one of the last start if it is free, otherwise any. Of the personal way.
  public var port: Int?
  /// The folder of what the host remembers, of the personal way.
  public var stateDirectory: String
  /// How the service is started.
  public var service = Studio.Options()
  /// The language of those whose browser asks for none that there is.
  public var language = Language.english
  /// The map's tiles; nil for a map without.
  public var map: MapTiles?
  /// The operator's own places, in which lookups are answered; nil to leave them to the geocoder of the service.
  public var places: PlaceList?
  /// The folder of the library that draws maps.
  public var leafletDirectory = "/usr/share/javascript/leaflet"
  /// How long an upload may take.
  public var uploadLimit = Duration.seconds(180)
  /// How many connections are served at a time, if the system allows as many.
  public var connections = 8192
  /// A folder with the pages, for those who change them; nil for those in the executable.
  public var pagesDirectory: String?
  /// Receives a line for whoever operates the host.
  public var log: @Sendable (String) -> Void = { _ in }
  /// How the public way runs; nil for the personal way.
  public var shop: PublicOptions?

  public init(stateDirectory: String) { self.stateDirectory = stateDirectory }
}

/// A server of map tiles.
public struct MapTiles: Sendable, Equatable, Decodable {
  /// The address of a tile, with `{z}`, `{x}` and `{y}`.
  public var tiles: String
  /// Whom the map shows as its source.
  public var attribution: String

  /// Its scheme, host and port; nil when it has none.
  var origin: String? { WebOrigin(ofURL: tiles)?.text }
}

/// How people of many browsers are served.
public struct PublicOptions: Sendable {
  /// The address that people see.
  public var origin: WebOrigin
  /// Where the reverse proxy finds the host.
  public var address: String
  public var port: Int
  /// What signs the cookies; the same on all machines of a shop.
  var sessionKeys: SecretFile
  /// The addresses of the reverse proxies, which say where a request comes from.
  public var trustedProxies: Set<HostAddress>
  /// Whether people may begin without signing in.
  public var allowsGuests: Bool
  public var terms: Terms?
  public var signIn: [SignIn]
  /// Whether the previews of guests are marked.
  public var marksPreviews: Bool
  public var limits: AddressLimits
  public var payment: Payment?

  /// The terms of use that people accept.
  public struct Terms: Sendable, Equatable, Decodable {
    public var version: String
    public var url: String
  }

  /// A place to sign in, by OpenID Connect; the service verifies its tokens.
  public struct SignIn: Sendable, Equatable, Decodable {
    /// The name of the issuer in the configuration of the service.
    public var name: String
    public var title: String
    /// Where the browser is sent.
    public var authorizeUrl: String
    public var clientId: String
  }

  /// The operator's processor of payments.
  public struct Payment: Sendable {
    /// The address that people pay at, with `{product}` and `{reference}`.
    public var checkoutURL: String
    /// What signs what the processor reports (Standard Webhooks).
    var secrets: SecretFile
  }
}

/// A scheme, a host and a port.
public struct WebOrigin: Sendable, Equatable {
  public var isSecure: Bool
  /// As in the header `Host`: with the port where it is not the usual one.
  public var host: String

  /// - Returns: nil for anything but `http` or `https`, a host, and perhaps a port.
  init?(ofURL url: String) {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty, ["http:", "https:"].contains(parts[0]) else { return nil }
    let host = parts[2].lowercased()
    guard !host.isEmpty, host.utf8.allSatisfy({ Self.hostBytes.contains($0) }) else { return nil }
    isSecure = parts[0] == "https:"
    self.host = host
  }

  private static let hostBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789.-:[]_".utf8)

  var text: String { "\(isSecure ? "https" : "http")://\(host)" }

  /// Whether nobody on the way reads or alters what is sent there: over TLS, or within this machine.
  var isProtected: Bool { isSecure || HostAddress(name).isLoopback }

  /// The host without its port.
  private var name: Substring {
    guard host.hasPrefix("["), let end = host.firstIndex(of: "]") else { return host.prefix { $0 != ":" } }
    return host[...end]
  }
}

/// How often people may begin something, besides the limits of the service for accounts.
public struct AddressLimits: Sendable, Equatable, Decodable {
  /// Requests for pictures in an hour, of the guests of one address.
  public var guestRequestsPerHour = 300
  /// Requests for pictures in a minute, of one address, of people who have signed in.
  public var requestsPerMinute = 60
  /// New guests in a day, of one address.
  public var guestsPerDay = 300
  /// New guests in a day who get a guest's credits for nothing, of one address, and of the 48 bits that IPv6 addresses begin
  /// with; further ones are let in, and may buy credits.
  public var giftsPerDay = 3
  /// Photos in a minute, of one address.
  public var photosPerMinute = 60

  public init() {}

  private enum CodingKeys: CodingKey {
    case guestRequestsPerHour, requestsPerMinute, guestsPerDay, giftsPerDay, photosPerMinute
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    for (key, path) in [
      (CodingKeys.guestRequestsPerHour, \AddressLimits.guestRequestsPerHour), (.requestsPerMinute, \.requestsPerMinute),
      (.guestsPerDay, \.guestsPerDay), (.giftsPerDay, \.giftsPerDay), (.photosPerMinute, \.photosPerMinute),
    ] {
      if let number = try members.decodeIfPresent(Int.self, forKey: key) { self[keyPath: path] = number }
    }
  }
}
