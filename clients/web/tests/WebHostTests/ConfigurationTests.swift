import POSIX
import Support
import Testing

@testable import WebHost

@Suite("The configuration file of the web host")
struct ConfigurationTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try FileSystem.writeNew(Array("c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n".utf8), to: "\(folder.path)/key")
    try FileSystem.writeNew(Array("c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0".utf8), to: "\(folder.path)/open", permissions: 0o644)
    try FileSystem.writeNew(Array("c2VjcmV0".utf8), to: "\(folder.path)/short")
    try FileSystem.writeNew(Array("whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0".utf8), to: "\(folder.path)/webhook")
  }

  private func read(_ text: String, isPublic: Bool = false) throws -> HostOptions {
    let path = "\(folder.path)/web.json"
    let bytes = Array(text.replacing("FOLDER", with: folder.path).utf8)
    try FileSystem.replace(path, with: bytes, temporary: "\(path).new", permissions: 0o600)
    var options = HostOptions(stateDirectory: folder.path)
    do throws(ConfigurationFailure) {
      try options.read(path, isPublic: isPublic)
    } catch {
      throw ConfigurationFailure(sentence: error.sentence.replacing(folder.path, with: "FOLDER"))
    }
    return options
  }

  @Test("a file says where everything is")
  func whole() throws {
    let options = try read(
      """
      { "language": "de", "map": {"tiles": "https://tiles.example/{z}/{x}/{y}.png", "attribution": "©"},
        "leafletDirectory": "/opt/leaflet", "uploadSeconds": 60, "connections": 100,
        "service": {"executable": "/opt/atelier", "dataDirectory": "/srv/atelier", "config": "/etc/atelier.json"},
        "public": {"origin": "https://studio.example", "port": 9000, "sessionKeyFile": "FOLDER/key", "guests": false,
          "terms": {"version": "1", "url": "https://studio.example/terms"}, "markPreviews": true,
          "limits": {"guestsPerDay": 3}, "trustedProxies": ["10.0.0.1"],
          "signIn": [
            {"name": "google", "title": "Google", "authorizeUrl": "https://accounts.example/auth", "clientId": "c"}],
          "payment": {"checkoutUrl": "https://pay.example/?p={product}&r={reference}", "secretFile": "FOLDER/webhook"}} }
      """, isPublic: true)
    #expect(options.language == .german && options.map?.origin == "https://tiles.example")
    #expect(options.leafletDirectory == "/opt/leaflet" && options.uploadLimit == .seconds(60) && options.connections == 100)
    #expect(options.service.service == .executable("/opt/atelier") && options.service.config == "/etc/atelier.json")
    let shop = try #require(options.shop)
    #expect(shop.origin.text == "https://studio.example" && shop.port == 9000 && shop.address == "127.0.0.1")
    #expect(shop.sessionKey == Array("secretsecretsecretsecret".utf8) && shop.payment?.secret == shop.sessionKey)
    #expect(!shop.allowsGuests && shop.marksPreviews && shop.limits.guestsPerDay == 3)
    #expect(shop.limits.guestRequestsPerHour == 20 && shop.trustedProxies == ["10.0.0.1"])
  }

  @Test("the personal way does not look at what is for the public way, and an empty file is all defaults")
  func personal() throws {
    #expect(try read("{}").shop == nil)
    try FileSystem.writeNew(Array("name,city\nHush,Dallas\n".utf8), to: "\(folder.path)/places.csv")
    #expect(try read(#"{"places": {"list": "FOLDER/places.csv"}}"#).places?.count == 1)
    let text = #"{"public": {"origin": "https://studio.example", "sessionKeyFile": "FOLDER/key"}}"#
    #expect(try read(text).shop == nil)
    #expect(try read(text, isPublic: true).shop != nil)
  }

  @Test("a fault is told with its line and column", arguments: [
    (#"{"places": {"list": "FOLDER/none.csv"}}"#, "1:21: /places/list cannot be read"),
    (#"{"places": {"list": "FOLDER/key"}}"#, "1:21: /places/list cannot be used"),
    ("{", "1:2: "), ("[]", "1:1: "), ("{\n \"languages\": 1}", "2:15: /languages"),
    (#"{"language": "xx"}"#, #"1:14: /language must be one of en"#), (#"{"uploadSeconds": 0}"#, "1:19: /uploadSeconds must"),
    (#"{"connections": 0}"#, "1:17: /connections must"),
    (#"{"map": {"tiles": "tiles/{z}/{x}/{y}", "attribution": ""}}"#, "1:19: /map/tiles must"),
    (#"{"map": {"tiles": "https://tiles.example/{z}/{x}", "attribution": ""}}"#, "1:19: /map/tiles must"),
    (#"{"map": {"tiles": "https://tiles.example/{z}/{x}/{y}"}}"#, "1:9: /map/attribution"),
    (#"{"public": {"origin": "https://studio.example/", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"{"public": {"origin": "http://studio.example", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"{"public": {"origin": "https://a b", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/none"}}"#,
      "1:62: /public/sessionKeyFile cannot"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/open"}}"#,
      "1:62: /public/sessionKeyFile names"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/short"}}"#,
      "1:62: /public/sessionKeyFile must"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key", "limits": {"guestsPerDay": 0}}}"#,
      "/public/limits/guestsPerDay must"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key", "port": 70000}}"#, "/public/port must"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key", "trustedProxies": ["10.0.0.0/8"]}}"#,
      "/public/trustedProxies/0 must"),
    (#"{"public": {"origin": "https://s.ex", "sessionKeyFile": "FOLDER/key", "terms": {"version": "1", "url": "x:1"}}}"#,
      "/public/terms/url must"),
  ])
  func faults(text: String, told: String) throws {
    let failure = try #require(throws: ConfigurationFailure.self) { try read(text) }
    #expect(failure.sentence.contains(told), "\(failure.sentence)")
  }

  @Test("the public way needs its part of the file")
  func missing() throws {
    let failure = try #require(throws: ConfigurationFailure.self) { try read("{}", isPublic: true) }
    #expect(failure.sentence.contains("public"))
  }
}
