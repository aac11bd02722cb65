import Glibc
import POSIX
import Support
import Testing

@testable import Credentials

@Suite("Files of keys that an editor has saved")
struct SavedFileTests {
  private let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  private static let bucketKey = #"{"accessKey": "an-access-key", "secretKey": "a-secret-key", "sessionToken": "a-token"}"#
  private static let keys = #"{"version": 1, "keys": {"gemini": {"key": "an-invented-key-of-forty-characters-0123"}}}"#

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = directory.path(name)
    try FileSystem.writeNew(bytes, to: path)
    return path
  }

  @Test("the file of a bucket's key is read with a byte order mark and through a link, and named in UTF-16")
  func bucket() throws {
    let plain = try BucketKey.read(file: try write(Array(Self.bucketKey.utf8), "plain"))
    let marked = try write(SavedAs.marked(Self.bucketKey), "marked")
    #expect(try BucketKey.read(file: marked) == plain)
    // A folder of secrets that somebody else rolls out consists of links.
    #expect(symlink(marked, directory.path("link")) == 0)
    #expect(try BucketKey.read(file: directory.path("link")) == plain)
    let wide = try write(SavedAs.utf16(Self.bucketKey), "wide")
    let fault = try #require(throws: BucketKey.Fault.self) { try BucketKey.read(file: wide) }
    #expect(fault.sentence == "“\(wide)” cannot be read: it is in UTF-16: save it as UTF-8 and try again.")
  }

  @Test("the file of the providers' keys is read with a byte order mark, and named in UTF-16")
  func providers() throws {
    let file = CredentialFile(directory: directory.path)
    let path = try write(SavedAs.marked(Self.keys), "credentials.json")
    #expect(try file.read()[.gemini]?.key.text == "an-invented-key-of-forty-characters-0123")
    try FileSystem.replace(path, with: SavedAs.utf16(Self.keys), temporary: "\(path).new", permissions: 0o600)
    let failure = try #require(throws: CredentialFailure.self) { try file.read() }
    #expect("\(failure)".contains("is in UTF-16: save it as UTF-8 and try again."))
  }
}
