import Support
import Testing

@testable import ObjectStorage

@Suite("The address of a bucket")
struct BucketAddressTests {
  @Test("an address says where the bucket is", arguments: [
    ("s3://pictures?region=eu-central-1", "https://pictures.s3.eu-central-1.amazonaws.com", "/a"),
    ("s3://pictures?region=cn-north-1", "https://pictures.s3.cn-north-1.amazonaws.com.cn", "/a"),
    ("s3://my.pictures/x?region=us-west-2", "https://s3.us-west-2.amazonaws.com", "/my.pictures/x/a"),
    ("s3://pictures/?endpoint=https://storage.example", "https://storage.example", "/pictures/a"),
    ("s3://pictures/at/one/?endpoint=storage.example:9000", "https://storage.example:9000", "/pictures/at/one/a"),
    ("s3://pictures?endpoint=https%3A%2F%2FStorage.Example%3A443/base/", "https://storage.example", "/base/pictures/a"),
    ("s3://pictures?endpoint=a.example/base&addressing=virtual", "https://pictures.a.example", "/base/a"),
    ("s3://pictures?endpoint=http://127.0.0.1:9000", "http://127.0.0.1:9000", "/pictures/a"),
    ("s3://pictures?endpoint=http://127.0.0.1:80", "http://127.0.0.1", "/pictures/a"),
    ("s3://pictures?endpoint=http://[::ffff:127.0.0.1]:9000", "http://[::ffff:127.0.0.1]:9000", "/pictures/a"),
    ("s3://pictures?endpoint=http://localhost:9000", "http://localhost:9000", "/pictures/a"),
    ("s3://pictures?endpoint=http://[::1]:9000", "http://[::1]:9000", "/pictures/a"),
    ("s3://pictures?endpoint=https://[2001:DB8::1]", "https://[2001:db8::1]", "/pictures/a"),
    ("s3://pictures?endpoint=http://minio:9000&insecure=true", "http://minio:9000", "/pictures/a"),
    ("s3://Old_Bucket/%C3%BC%20%23?endpoint=storage.example", "https://storage.example", "/Old_Bucket/ü #/a"),
  ])
  func parsed(text: String, origin: String, path: String) throws {
    let address = try BucketAddress(text)
    #expect(address.origin == origin)
    #expect(address.path(of: address.prefix + "a") == path)
  }

  @Test("an address without a region is in the usual one, unless it is Amazon's")
  func region() throws {
    #expect(try BucketAddress("s3://pictures?endpoint=storage.example").region == "us-east-1")
    #expect(try BucketAddress("s3://pictures?endpoint=storage.example&region=garage").region == "garage")
    let error = #expect(throws: BucketAddress.Fault.self) { try BucketAddress("s3://pictures") }
    #expect(error?.problem.contains("region") == true)
  }

  @Test("an address is refused with what is wrong with it", arguments: [
    ("", "s3://"), ("pictures", "s3://"), ("S3://pictures?region=a", "s3://"), ("s3://?region=a", "name a bucket"),
    ("s3://ab?region=a", "name a bucket"), ("s3://a..b?region=a", "name a bucket"), ("s3://-ab?region=a", "name a bucket"),
    ("s3://pic_tures?region=a", "name a bucket"), ("s3://Pictures?region=a", "lowercase"),
    ("s3://key:secret@pictures?region=a", "no password"), ("s3://pictures?endpoint=https://key:secret@host", "no password"),
    ("s3://pictures?region=a#b", "fragment"), ("s3://pictures?regions=a", "unknown"), ("s3://pictures?region=", "empty"),
    ("s3://pictures?region", "empty"), ("s3://pictures?region=a&region=b", "twice"), ("s3://pictures?region=a/b", "region"),
    ("s3://pictures?region=%FF", "UTF-8"), ("s3://pictures/%FF?region=a", "UTF-8"),
    ("s3://pictures/a%00?region=a", "control"),
    ("s3://pictures/a//b?region=a", "empty part"), ("s3://pictures/../b?region=a", "dots"),
    ("s3://pictures/%2E%2E?region=a", "dots"), ("s3://pictures//?region=a", "empty part"),
    ("s3://pictures?endpoint=http://storage.example", "insecure=true"),
    ("s3://pictures?endpoint=http://10.0.0.1", "insecure"),
    ("s3://pictures?endpoint=http://127.0.0.1.example", "insecure"), ("s3://pictures?endpoint=http://127.1", "insecure"),
    ("s3://pictures?endpoint=http://127.evil.example", "insecure"), ("s3://pictures?endpoint=http://0.0.0.0", "insecure"),
    ("s3://pictures?endpoint=http://[::2]", "insecure"), ("s3://pictures?endpoint=ftp://storage.example", "https"),
    ("s3://pictures?endpoint=http://minio&insecure=yes", "true or false"), ("s3://pictures?endpoint=https://", "host"),
    ("s3://pictures?endpoint=https://a..b", "host"), ("s3://pictures?endpoint=https://[::1", "host"),
    ("s3://pictures?endpoint=https://::1", "host"), ("s3://pictures?endpoint=https://[1.2.3.4]", "host"),
    ("s3://pictures?endpoint=https://a:0", "port"), ("s3://pictures?endpoint=https://a:65536", "port"),
    ("s3://pictures?endpoint=https://a:+80", "port"), ("s3://pictures?endpoint=https://a:", "port"),
    ("s3://pictures?endpoint=https://a/../b", "dots"), ("s3://pictures?endpoint=https://a//b", "empty parts"),
    ("s3://pictures?endpoint=https://a/%3Fb", "only"), ("s3://pictures?endpoint=https://a%0d%0aX:y", "host"),
    ("s3://pictures?endpoint=a&addressing=host", "path or virtual"),
    ("s3://pictures?endpoint=10.0.0.1&addressing=virtual", "addressing=path"),
    ("s3://pictures/é?region=a", "ASCII"), ("s3://pictures ?region=a", "ASCII"),
  ])
  func refused(text: String, problem: String) {
    let error = #expect(throws: BucketAddress.Fault.self) { try BucketAddress(text) }
    #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "none")")
    #expect(error?.problem.hasSuffix(".") == true)
  }

  @Test("a refusal contains nothing of an address with a secret in any place", arguments: 0..<200 as Range<UInt64>)
  func secrets(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let secret = String((0..<20).map { _ in "abcdefghijkmnopqrstuvwxyz23456789".randomElement(using: &random) ?? "a" })
    let parts = [
      "s3://", "pictures", "/", "?", "&", "=", ":", "@", "#", "%", "%00", "%FF", "endpoint=", "region=", "addressing=",
      "insecure=", "http://", "https://", "[", "]", "..", "é", " ", "\n", secret, secret,
    ]
    for _ in 0..<50 {
      let start = random.next() % 3 == 0 ? "" : "s3://"
      let text = start + (0..<random.next() % 12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      do {
        _ = try BucketAddress(text)
      } catch {
        #expect(!error.problem.contains(secret), "seed \(seed): \(text)")
        #expect(!"\(error)".contains(secret), "seed \(seed): \(text)")
      }
    }
  }
}
