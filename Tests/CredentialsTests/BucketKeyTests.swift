import Foundation
import ObjectStorage
import Support
import Testing

@testable import Credentials

@Suite("The key of a bucket")
struct BucketKeyTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func key(in text: String) throws -> BucketCredentials {
    let path = folder.path("key.json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try #require(chmod(path, 0o600) == 0)
    return try BucketKey.read(file: path)
  }

  private func credentials(token: String? = nil, endsAt: Int? = nil) throws -> BucketCredentials {
    try #require(BucketCredentials(accessKey: "a", secretKey: "s", sessionToken: token, endsAt: endsAt))
  }

  @Test("a file holds the key as documented or as Amazon's tools write it, perhaps with a byte order mark", arguments: [
    (#"{"accessKey": "a", "secretKey": "s"}"#, nil, nil),
    (#"{"accessKey": "a", "secretKey": "s", "sessionToken": "t"}"#, "t", nil),
    (
      #"{"accessKey": "a", "secretKey": "s", "sessionToken": "t", "expiration": "2027-01-15T08:00:00Z"}"#, "t",
      1_800_000_000
    ),
    (#"{"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "s"}"#, nil, nil),
    (
      #"{"AccessKeyId": "a", "SecretAccessKey": "s", "SessionToken": "t", "Expiration": "2027-01-15T09:00:00+01:00"}"#, "t",
      1_800_000_000
    ),
    ("\u{FEFF}{\"accessKey\": \"a\", \"secretKey\": \"s\"}", nil, nil),
  ] as [(String, String?, Int?)])
  func forms(text: String, token: String?, endsAt: Int?) throws {
    #expect(try key(in: text) == credentials(token: token, endsAt: endsAt))
  }

  @Test("a file that holds no key is refused with what it must hold", arguments: [
    "", "{}", #"{"accessKey": "a"}"#, #"{"accessKey": "a", "SecretAccessKey": "s"}"#,
    #"{"accessKey": "a", "secretKey": "s", "expiration": "tomorrow"}"#, #"{"accessKey": "a", "secretKey": "s", "more": 1}"#,
  ])
  func refused(text: String) throws {
    let fault = #expect(throws: BucketKey.Fault.self) { try key(in: text) }
    #expect(fault?.sentence.contains("accessKey, secretKey") == true)
  }

  @Test("the environment says when its key ends")
  func environment() throws {
    var variables = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s"]
    #expect(try BucketKey.read { variables[$0] } == credentials())
    variables["AWS_SESSION_TOKEN"] = "t"
    variables["AWS_CREDENTIAL_EXPIRATION"] = "2027-01-15T08:00:00Z"
    #expect(try BucketKey.read { variables[$0] } == credentials(token: "t", endsAt: 1_800_000_000))
  }
}
