import CurlHTTP
import Foundation
import JSON
import ServiceFixture
import Support
import Testing

/// The object storage that `scripts/with-s3.sh` has started, as operators name it.
private enum Storage {
  static let variables = ProcessInfo.processInfo.environment
  static let isThere = variables["ATELIER_TEST_S3"] != nil

  /// - Parameters:
  ///   - prefix: below which the pictures are.
  ///   - keepsVersions: whether it is the bucket with versions.
  static func url(_ prefix: String, keepsVersions: Bool = false) -> String {
    let text = variables[keepsVersions ? "ATELIER_TEST_S3_VERSIONED" : "ATELIER_TEST_S3"] ?? ""
    let query = text.firstIndex(of: "?") ?? text.endIndex
    return "\(text[..<query])/\(prefix)\(text[query...])"
  }

  static let key = [
    "AWS_ACCESS_KEY_ID": variables["ATELIER_TEST_S3_KEY"] ?? "",
    "AWS_SECRET_ACCESS_KEY": variables["ATELIER_TEST_S3_SECRET"] ?? "",
  ]
}

@Suite("Pictures in a bucket", .serialized, .timeLimit(.minutes(5)), .enabled(if: Storage.isThere))
struct BucketTests {
  private let directory: TemporaryDirectory
  private let photo = Fixture.path("portraits/astronaut.png")
  private let prefix: String
  private var data: String { directory.path("data") }
  private var cache: String { "\(data)/cache" }
  private var configuration: String { directory.path("atelier.json") }

  init() throws {
    directory = try TemporaryDirectory()
    // With a blank and a letter that is not ASCII: each is signed as it is sent.
    prefix = "at%20elier%20%C3%A9/\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try configure(Storage.url(prefix))
  }

  private func configure(_ url: String, _ more: JSONObject = [:]) throws {
    var artifacts: JSONObject = ["url": .string(url)]
    for (name, value) in more { artifacts[name] = value }
    let file = JSONValue.object(["artifacts": .object(artifacts)]).serialized()
    try Data(file).write(to: URL(fileURLWithPath: configuration))
  }

  private func run(
    _ arguments: String..., data: String? = nil, key: [String: String] = Storage.key
  ) async throws -> Executable.Outcome {
    try await Executable.run(
      arguments + ["--data-dir", data ?? self.data, "--config", configuration], environment: key)
  }

  private func make() async throws -> String {
    let made = try await run("generate", photo, "--no-output", "--json")
    try #require(made.status == 0, "\(made.errors)")
    return try #require(try JSONValue(parsing: Array(made.output.utf8))["generationId"]?.string)
  }

  private func entry(_ id: String, _ more: String...) async throws -> JSONValue {
    let shown = try await Executable.run(
      ["show", id, "--json", "--data-dir", data, "--config", configuration] + more, environment: Storage.key)
    try #require(shown.status == 0, "\(shown.errors)")
    return try JSONValue(parsing: Array(shown.output.utf8))
  }

  private func emptyCache() throws { try FileManager.default.removeItem(atPath: cache) }

  private func files(below folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter { $0.contains(".") }
  }

  @Test("a picture is read from the bucket where this machine does not have it, and history fetches none")
  func otherMachine() async throws {
    let id = try await make()
    let path = try #require(try await entry(id)["images"]?[0]?["path"]?.string)
    #expect(path.hasPrefix(cache + "/"))
    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(files(below: "\(data)/artifacts").isEmpty)

    try emptyCache()
    let history = try await run("history", "--json")
    let listed = try JSONValue(parsing: Array(history.output.utf8))["entries"]?[0]
    #expect(listed?["images"]?[0]?["sha256"] != nil && listed?["images"]?[0]?["path"] == nil)
    #expect(files(below: cache).isEmpty)
    // What works from it: a preview for a person, an export, a refinement.
    #expect(try await run("show", id).output.contains(path))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == picture)
    try emptyCache()
    let export = directory.path("export")
    try FileManager.default.createDirectory(atPath: export, withIntermediateDirectories: false)
    #expect(try await run("export", export).status == 0)
    let exported = files(below: "\(export)/atelier-pictures").filter { $0.contains((path as NSString).lastPathComponent) }
    #expect(!exported.isEmpty)
    try emptyCache()
    let again = try await run("generate", photo, "-o", directory.path("again.jpg"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("again.jpg"))) == picture)
  }

  @Test("a link gives anybody the very picture, unaltered and until it is deleted, and no trace or log has it")
  func link() async throws {
    let keyFile = directory.path("key.json")
    let key = ["accessKey": Storage.key["AWS_ACCESS_KEY_ID"], "secretKey": Storage.key["AWS_SECRET_ACCESS_KEY"]]
    try JSONEncoder().encode(key).write(to: URL(fileURLWithPath: keyFile))
    try #require(chmod(keyFile, 0o600) == 0)
    try configure(Storage.url(prefix), ["accessKeyFile": .string(keyFile), "presignedLinks": true])
    let trace = directory.path("trace.jsonl")
    let service = try ServiceProcess([
      "--data-dir", data, "--config", configuration, "--trace", trace, "--log-level", "trace",
    ])
    let made = try await service.host.call(
      1, "generate", ["recipe": "headshot", "image": ["path": .string(photo)], "output": ["matte": true], "progress": false])
    let image = try #require(made?["result"]?["images"]?[0])
    let params: JSONObject = ["generationId": made?["result"]?["generationId"] ?? .null]
    let client = CurlClient(CurlSettings(proxy: CurlSettings.Proxy.none))
    func get(_ url: String) async throws -> HTTPResponse { try await client.perform(HTTPRequest(.get, url)) }

    var urls: [String] = []
    for (id, variant, file) in [(2, "full", image), (3, "matte", image["matte"] ?? .null)] {
      var params = params
      params["variant"] = .string(variant)
      let link = try await service.host.call(id, "image/link", .object(params))?["result"]
      let url = try #require(link?["url"]?.string)
      let answer = try await get(url)
      #expect(answer.status == 200 && answer.header("Content-Type") == file["mimeType"]?.string)
      #expect(try Data(answer.body) == Data(contentsOf: URL(fileURLWithPath: file["path"]?.string ?? "")))
      #expect(link?["sha256"] == file["sha256"] && link?["bytes"] == file["bytes"])
      urls.append(url)
    }
    let other = urls[0].replacing("X-Amz-Expires=600", with: "X-Amz-Expires=601")
    #expect(other != urls[0])
    #expect(try await get(other).status == 403)
    #expect(try await get(urls[0].replacing(prefix, with: "\(prefix)0")).status == 403)
    let deleted = try await service.host.call(4, "history/delete", .object(params))
    #expect(deleted?["result"]?["deleted"] == 1)
    for url in urls { #expect(try await get(url).status == 404) }
    #expect(try await service.host.call(5, "image/link", .object(params))?["error"]?["data"]?["kind"] == "not_found")

    #expect(await service.finish().status == 0)
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    let log = await service.errorText
    #expect(text.contains(#""url":"*secret*""#))
    for place in [text, log] { #expect(!place.contains("X-Amz") && !place.contains(prefix)) }
  }

  @Test("a picture that is deleted is gone from the bucket and the cache, with all that was made of it")
  func deletion() async throws {
    _ = try await make()
    #expect(try await run("doctor").output.contains("What is deleted is gone"))
    // Another data directory with the same bucket lists what is there: all of it is unknown there.
    let other = directory.path("other")
    #expect(try await run("doctor", data: other).output.contains("of the pictures in the bucket are unknown"))
    let deleted = try await run("delete", "--all", "--yes", "--account", "owner")
    #expect(deleted.status == 0, "\(deleted.errors)")
    let apart = try await run("generate", photo, "--private", "-o", directory.path("private.jpg"), data: other)
    #expect(apart.status == 0, "\(apart.errors)")
    let found = try await run("doctor", data: other)
    #expect(!found.output.contains("belongs to nothing") && !found.output.contains("unknown"), "\(found.output)")
    #expect(files(below: cache).isEmpty)
    #expect(files(below: "\(other)/cache").isEmpty)
  }

  @Test("a backup has the pictures of the bucket, and a restoration puts them into one")
  func backup() async throws {
    let id = try await make()
    let path = try #require(try await entry(id)["images"]?[0]?["path"]?.string)
    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
    try emptyCache()
    let backup = directory.path("backup")
    let outcome = try await run("backup", backup)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(files(below: "\(backup)/artifacts").contains { $0.hasSuffix((path as NSString).lastPathComponent) })

    try configure(Storage.url("\(prefix)/second"))
    let elsewhere = directory.path("elsewhere")
    let restored = try await run("restore", backup, data: elsewhere)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try await run("doctor", data: elsewhere).status == 0)
    #expect(files(below: "\(elsewhere)/artifacts").isEmpty)
    let shown = try await run("show", id, data: elsewhere)
    #expect(shown.status == 0, "\(shown.errors)")
    let copy = path.replacingOccurrences(of: data, with: elsewhere)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == picture)
    // A bucket that is away breaks a backup off: one without pictures would be none.
    try configure("s3://pictures?endpoint=http://127.0.0.1:1")
    let broken = try await run("backup", directory.path("second-backup"), data: elsewhere)
    #expect(broken.status != 0 && broken.errors.contains("The object storage cannot be reached"), "\(broken.errors)")
  }

  @Test("a bucket that keeps versions takes neither a new picture nor a restored one, unless that is confirmed")
  func versions() async throws {
    _ = try await make()
    let backup = directory.path("backup")
    try #require(try await run("backup", backup).status == 0)
    let versioned = Storage.url(prefix, keepsVersions: true)
    try configure(versioned)
    let (other, restored) = (directory.path("other"), directory.path("restored"))
    let refusals = [
      try await run("generate", photo, "--no-output", "--json", data: other),
      try await run("restore", backup, data: restored),
    ]
    for outcome in refusals {
      #expect(outcome.status != 0)
      #expect((outcome.output + outcome.errors).contains("The bucket keeps versions, so deleted pictures stay in it."))
    }
    #expect(!FileManager.default.fileExists(atPath: "\(restored)/atelier.sqlite"))
    try configure(versioned, ["keepsVersions": true])
    let confirmed = [
      try await run("generate", photo, "--no-output", data: other), try await run("restore", backup, data: restored),
    ]
    for outcome in confirmed { #expect(outcome.status == 0, "\(outcome.errors)") }
  }

  @Test("a bucket that is away or refuses keeps requests from beginning, with a sentence and no secret", arguments: [
    ("s3://pictures?endpoint=http://127.0.0.1:1", "The object storage cannot be reached"), (nil, "the secret key is wrong"),
  ])
  func away(url: String?, sentence: String) async throws {
    if let url { try configure(url) }
    var key = Storage.key
    if url == nil { key["AWS_SECRET_ACCESS_KEY"] = "not-the-secret" }
    let outcome = try await run("generate", photo, "--no-output", "--json", key: key)
    #expect(outcome.status != 0)
    let said = outcome.output + outcome.errors
    #expect(said.contains(sentence) && said.contains("storage_unavailable"), "\(said)")
    #expect(!said.contains("not-the-secret"))
    let lacking = try await run("generate", photo, "--no-output", key: [:])
    #expect(lacking.status != 0 && lacking.errors.contains("AWS_ACCESS_KEY_ID"), "\(lacking.errors)")
  }
}
