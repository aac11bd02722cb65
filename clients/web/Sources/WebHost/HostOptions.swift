import AtelierClient
import Localization

/// How the host runs.
public struct HostOptions: Sendable {
  /// The port on this machine; nil for the one of the last start if it is free, otherwise any.
  public var port: Int?
  /// The folder of what the host remembers.
  public var stateDirectory: String
  /// How the service is started.
  public var service = Studio.Options()
  /// The language of those whose browser asks for none that there is.
  public var language = Language.english
  /// The map's tiles; nil for a map without.
  public var map: MapTiles?
  /// The folder of the library that draws maps.
  public var leafletDirectory = "/usr/share/javascript/leaflet"
  /// How long an upload may take.
  public var uploadLimit = Duration.seconds(180)

  /// A server of map tiles.
  public struct MapTiles: Sendable, Equatable {
    /// The address of a tile, with `{z}`, `{x}` and `{y}`.
    public var tiles: String
    public var attribution: String

    /// Its scheme, host and port.
    var origin: String? {
      let parts = tiles.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count >= 3, parts[1].isEmpty, !parts[2].isEmpty else { return nil }
      return "\(parts[0])//\(parts[2])"
    }
  }

  public init(stateDirectory: String) { self.stateDirectory = stateDirectory }
}
