import Encodings
import Foundation
import JSON
import Support
import Testing

@testable import atelier

@Suite("The bucket of the configuration file", .timeLimit(.minutes(2)))
struct ArtifactConfigurationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func bucket(_ artifacts: JSONValue) async throws -> BucketSettings? {
    let source = try ConfigurationSource(JSONValue.object(["artifacts": artifacts]).serialized(), path: "atelier.json")
    return try await source.locatingFaults { try $0.artifacts?.bucket() }
  }

  @Test("the bucket is the one that is named, and a folder by default")
  func named() async throws {
    let settings = try #require(
      try await bucket([
        "url": "s3://pictures/at?endpoint=https://storage.example", "accessKeyFile": "/etc/key.json",
        "cacheBytes": 5,
      ]))
    #expect(settings.address.bucket == "pictures" && settings.address.prefix == "at/")
    #expect(settings.accessKeyFile == "/etc/key.json" && settings.cacheBytes == 5)
    #expect(!settings.mayKeepVersions)
    #expect(try await bucket([:]) == nil)
  }

  @Test("a bucket that cannot be used is refused with the place, the member and what it must be", arguments: [
    (["url": "pictures"], "1:21: /artifacts/url must begin with s3://"),
    (["url": "s3://key:secret@pictures"], "1:21: /artifacts/url must contain no user and no password"),
    (["url": "s3://pictures?endpoint=http://minio"], "1:21: /artifacts/url must have an endpoint with https"),
    (["url": 5], "1:21: /artifacts/url must be a string, not 5."),
    (["cacheBytes": 5], "1:28: /artifacts/cacheBytes must be absent without artifacts.url"),
    (["presignedLinks": true], "1:32: /artifacts/presignedLinks must be absent without artifacts.url"),
    (["url": "s3://pictures?region=a", "cacheBytes": -1], "1:59: /artifacts/cacheBytes must be from 0 to"),
    (["url": "s3://pictures?region=a", "accessKeyFile": "key"], "1:62: /artifacts/accessKeyFile must be an absolute path."),
  ] as [(JSONValue, String)])
  func refused(value: JSONValue, sentence: String) async throws {
    let failure = await #expect(throws: ConfigurationFailure.self) { _ = try await bucket(value) }
    let said = failure?.sentence ?? ""
    #expect(said.hasPrefix("atelier.json:\(sentence)"), "\(said)")
    #expect(!said.contains("secret@"))
  }

  @Test("the doctor says what a bucket guarantees, or why it cannot be used")
  func doctor() async throws {
    let variables = ProcessInfo.processInfo.environment
    let key = "\(directory.path)/key.json"
    let pair = ["accessKey": variables["ATELIER_TEST_S3_KEY"] ?? "key", "secretKey": "wrong"]
    try JSONEncoder().encode(pair).write(to: URL(fileURLWithPath: key))
    func findings(_ url: String) async throws -> [DoctorCommand.Finding] {
      let settings = try #require(
        try await bucket(["url": .string(url), "accessKeyFile": .string(key)]))
      return await BucketCheck(settings: settings, probe: "probe").findings()
    }
    let closed = "s3://pictures?endpoint=http://127.0.0.1:1"
    chmod(key, 0o644)
    #expect(try await findings(closed).map(\.sentence).first?.contains("chmod 600") == true)
    chmod(key, 0o600)
    #expect(try await findings(closed).map(\.ok) == [false])
    guard let url = variables["ATELIER_TEST_S3"], let versioned = variables["ATELIER_TEST_S3_VERSIONED"] else { return }
    #expect(try await findings(url).first?.sentence.contains("secret key is wrong") == true)
    let right = ["accessKey": pair["accessKey"], "secretKey": variables["ATELIER_TEST_S3_SECRET"]]
    try JSONEncoder().encode(right).write(to: URL(fileURLWithPath: key))
    #expect(try await findings(url).map(\.ok) == [true, true, true, true])
    #expect(try await findings(versioned).map(\.ok) == [true, true, true, false])
  }
}
