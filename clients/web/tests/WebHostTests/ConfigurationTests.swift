import Encodings
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
    try read(Array(text.utf8), isPublic: isPublic)
  }

  private func read(_ bytes: [UInt8], isPublic: Bool) throws -> HostOptions {
    let path = "\(folder.path)/web.json"
    let bytes = bytes.replacing(Array("FOLDER".utf8), with: Array(folder.path.utf8))
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
  func whole() async throws {
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
    #expect(try await shop.sessionKeys.all() == [Array("secretsecretsecretsecret".utf8)])
    #expect(try await shop.payment?.secrets.all() == [Array("secretsecretsecretsecret".utf8)])
    #expect(!shop.allowsGuests && shop.marksPreviews && shop.limits.guestsPerDay == 3)
    #expect(shop.limits.guestRequestsPerHour == 300 && shop.trustedProxies == [HostAddress("10.0.0.1")])
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
    (#"{"public": {"origin": "http://127.evil.example", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"{"public": {"origin": "http://127.1:8080", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"{"public": {"origin": "http://localhost.example", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"""
      {"public": {"origin": "http://localhost:80", "sessionKeyFile": "FOLDER/key", "signIn": [
        {"name": "a", "title": "A", "authorizeUrl": "http://issuer.example/a", "clientId": "c"}]}}
      """#, "/public/signIn/0/authorizeUrl must"),
    (#"""
      {"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key",
        "payment": {"checkoutUrl": "http://pay.example/{reference}", "secretFile": "FOLDER/webhook"}}}
      """#, "/public/payment/checkoutUrl must"),
    (#"""
      {"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key",
        "terms": {"version": "1", "url": "http://s.example/terms"}}}
      """#, "/public/terms/url must"),
    (#"{"public": {"origin": "https://a b", "sessionKeyFile": "FOLDER/key"}}"#, "1:23: /public/origin must"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/none"}}"#,
      "1:62: /public/sessionKeyFile cannot"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/open"}}"#,
      "1:62: /public/sessionKeyFile names"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/short"}}"#,
      "1:62: /public/sessionKeyFile must"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key", "limits": {"guestsPerDay": 0}}}"#,
      "/public/limits/guestsPerDay must be from 1"),
    (#"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key", "limits": {"giftsPerDay": -1}}}"#,
      "/public/limits/giftsPerDay must be from 0"),
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

  @Test("plain http is for this machine, however it is spelled", arguments: [
    "localhost", "localhost:8080", "127.0.0.1:8080", "127.0.0.2", "[::1]:8080", "[0:0:0:0:0:0:0:1]", "localhost.:80",
  ])
  func here(host: String) throws {
    let text = #"{"public": {"origin": "http://HOST", "sessionKeyFile": "FOLDER/key"}}"#.replacing("HOST", with: host)
    #expect(try read(text, isPublic: true).shop?.origin.text == "http://\(host)")
  }

  /// Each file that the configuration names or is, and how a fault of it is told.
  private static let texts: [(name: String, text: String, told: String)] = [
    (
      "web.json", #"{"public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key"}}"#,
      "cannot be read: “FOLDER/web.json”"
    ),
    ("key", "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n", "/public/sessionKeyFile cannot be read"),
    ("webhook", "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n", "/public/payment/secretFile cannot be read"),
    ("places.csv", "name,city\nHush,Dallas\n", "/places/list cannot be used"),
  ]

  @Test("every file is read without its byte order mark, and named where it is in UTF-16", arguments: texts.indices)
  func marks(index: Int) async throws {
    func configuration(_ bytes: [UInt8]) throws -> HostOptions {
      for (number, file) in Self.texts.enumerated() where number != 0 {
        let path = "\(folder.path)/\(file.name)"
        let content = number == index ? bytes : Array(file.text.utf8)
        try FileSystem.replace(path, with: content, temporary: "\(path).new", permissions: 0o600)
      }
      let text = #"""
        {"places": {"list": "FOLDER/places.csv"}, "public": {"origin": "https://s.example", "sessionKeyFile": "FOLDER/key",
          "payment": {"checkoutUrl": "https://pay.example/{reference}", "secretFile": "FOLDER/webhook"}}}
        """#
      return try read(index == 0 ? bytes : Array(text.utf8), isPublic: true)
    }
    let text = Self.texts[index].text
    let shop = try #require(try configuration(SavedAs.marked(text)).shop)
    #expect(try await shop.sessionKeys.all().map(\.count) == [24])
    let failure = try #require(throws: ConfigurationFailure.self) { try configuration(SavedAs.utf16(text)) }
    #expect(failure.sentence.contains(Self.texts[index].told), "\(failure.sentence)")
    #expect(failure.sentence.contains("is in UTF-16: save it as UTF-8 and try again"), "\(failure.sentence)")
  }

  @Test("the public way needs its part of the file")
  func missing() throws {
    let failure = try #require(throws: ConfigurationFailure.self) { try read("{}", isPublic: true) }
    #expect(failure.sentence.contains("public"))
  }
}
