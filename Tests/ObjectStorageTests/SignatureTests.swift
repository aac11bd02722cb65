import CurlHTTP
import Testing

@testable import ObjectStorage

/// A request and the signature that somebody else has published for it.
struct SignatureCase: Sendable, CustomTestStringConvertible {
  var name: String
  var method = HTTPRequest.Method.get
  var path = "/"
  var query: [CanonicalRequest.QueryItem] = []
  var headers: [HTTPHeader] = []
  var body = ""
  var sessionToken: String?
  /// What stands in the canonical request, where that is the point of the case.
  var contains = ""
  var signature: String

  var testDescription: String { name }
}

@Suite("The signature of a request")
struct SignatureTests {
  private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  /// From AWS's test suite for the scheme (aws-sig-v4-test-suite, Apache-2.0): the cases that are not about the paths of
  /// services other than S3, which normalise them.
  private static let suite: [SignatureCase] = [
    SignatureCase(
      name: "get-vanilla",
      contains: "GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\n",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    SignatureCase(
      name: "get-header-key-duplicate",
      headers: [.init("My-Header1", "value2"), .init("My-Header1", "value2"), .init("My-Header1", "value1")],
      contains: "\nmy-header1:value2,value2,value1\n",
      signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
    SignatureCase(
      name: "get-header-value-order",
      headers: ["value4", "value1", "value3", "value2"].map { .init("My-Header1", $0) },
      signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
    SignatureCase(
      name: "get-header-value-trim", headers: [.init("My-Header1", " value1"), .init("My-Header2", " \"a   b   c\"")],
      contains: "\nmy-header1:value1\nmy-header2:\"a b c\"\n",
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    SignatureCase(
      name: "get-unreserved", path: "/\(unreserved)",
      signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
    SignatureCase(
      name: "get-utf8", path: "/\u{1234}", contains: "GET\n/%E1%88%B4\n",
      signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    SignatureCase(
      name: "get-space", path: "/example space/", contains: "GET\n/example%20space/\n",
      signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
    SignatureCase(
      name: "get-vanilla-query-order-key-case", query: [.init("Param2", "value2"), .init("Param1", "value1")],
      contains: "\nParam1=value1&Param2=value2\n",
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    SignatureCase(
      name: "get-vanilla-query-order-encoded",
      query: [.init("Param-3", "Value3"), .init("Param", "Value2"), .init("\u{1234}", "Value1")],
      contains: "\n%E1%88%B4=Value1&Param=Value2&Param-3=Value3\n",
      signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"),
    SignatureCase(
      name: "get-vanilla-query-order-key", query: [.init("Param1", "value2"), .init("Param1", "Value1")],
      signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
    SignatureCase(
      name: "get-vanilla-query-unreserved", query: [.init(unreserved, unreserved)],
      signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
    SignatureCase(
      name: "get-vanilla-utf8-query", query: [.init("\u{1234}", "bar")],
      signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
    SignatureCase(
      name: "get-vanilla-with-session-token",
      headers: [.init("X-Amz-Security-Token", "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267")],
      signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"),
    SignatureCase(
      name: "post-header-key-sort", method: .post, headers: [.init("My-Header1", "value1")],
      signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
    SignatureCase(
      name: "post-vanilla-query", method: .post, query: [.init("Param1", "value1")],
      signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
    SignatureCase(
      name: "post-x-www-form-urlencoded", method: .post,
      headers: [.init("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
  ]

  @Test("the signature is that of AWS's test suite", arguments: suite)
  func published(example: SignatureCase) throws {
    let credentials = try #require(
      BucketCredentials(accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"))
    let time = SigningTime(secondsSince1970: 1_440_938_160)
    let request = CanonicalRequest(
      method: example.method, path: example.path, query: example.query,
      headers: [.init("Host", "example.amazonaws.com"), .init("X-Amz-Date", time.text)] + example.headers,
      payload: CanonicalRequest.payload(Array(example.body.utf8)))
    let signature = RequestSignature(request, credentials, .init(region: "us-east-1", service: "service"), at: time)
    #expect(example.contains.isEmpty || request.text.contains(example.contains), "\(request.text)")
    #expect(signature.text == example.signature, "\(request.text)\n\n\(signature.stringToSign)")
    #expect(
      signature.authorization.hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders="))
  }

  /// From S3's documentation ("Authenticating Requests: Using the Authorization Header").
  private static let examplesOfS3: [SignatureCase] = [
    SignatureCase(
      name: "GET Object", path: "/test.txt", headers: [.init("Range", "bytes=0-9")],
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    SignatureCase(
      name: "PUT Object", method: .put, path: "/test$file.text",
      headers: [.init("Date", "Fri, 24 May 2013 00:00:00 GMT"), .init("x-amz-storage-class", "REDUCED_REDUNDANCY")],
      body: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    SignatureCase(
      name: "GET Bucket Lifecycle", query: [.init("lifecycle")],
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    SignatureCase(
      name: "List Objects", query: [.init("max-keys", "2"), .init("prefix", "J")],
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  private static let midnight = SigningTime(secondsSince1970: 1_369_353_600)

  private static func credentials(_ token: String? = nil) throws -> BucketCredentials {
    try #require(
      BucketCredentials(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", sessionToken: token))
  }

  @Test("the signature is that of S3's documentation", arguments: examplesOfS3)
  func documented(example: SignatureCase) throws {
    try expect(example, host: "examplebucket.s3.amazonaws.com", region: "us-east-1")
  }

  /// Computed with botocore 1.44.
  private static let examplesOfBotocore: [SignatureCase] = [
    SignatureCase(
      name: "letters beyond ASCII", path: "/pictures/ünï/写真 1.jpg",
      signature: "2359fb8dd4f72686039f9b70b9d2fd60ab8e91a23696af5a47807560bd7aa09c"),
    SignatureCase(
      name: "a tilde", path: "/pictures/~a/b~c",
      signature: "f73fcb1669dd3bc6bf4dad3e4d9439af48e54bd34b124d174a9620c7fa904b0b"),
    SignatureCase(
      name: "reserved characters", path: "/pictures/a b+c&d=e;f,g:h@i$j!k'l(m)n*o",
      signature: "fb27a078a183d978b19b0e7eaa8686e6852d1c7d875a20ed7ece46498d1fd309"),
    SignatureCase(
      name: "empty segments", path: "/pictures//a//b/",
      signature: "9e21c4c044dc70ad31a5f94aac3847c27ed9eccb2d7602f122ff48cee489674e"),
    SignatureCase(
      name: "a conditional put", method: .put, path: "/pictures/x.jpg",
      headers: [.init("content-type", "image/jpeg"), .init("if-none-match", "*")], body: "a picture",
      signature: "f945a1a4f7ac3c5c1c44dc305e71e901513660d7efd8f79f572c1cc5b8937242"),
    SignatureCase(
      name: "a session token", method: .put, path: "/pictures/x.jpg",
      headers: [.init("content-type", "image/jpeg"), .init("if-none-match", "*")], body: "a picture",
      sessionToken: "IQoJb3JpZ2luX2VjE+/=token",
      signature: "74765e587445c764625c126407a19ca45aa511c06b8e093e15796d944a55062c"),
    SignatureCase(
      name: "a query of reserved characters", path: "/pictures",
      query: [
        .init("list-type", "2"), .init("prefix", "é +&=/~"), .init("continuation-token", "1/a+b=="),
        .init("encoding-type", "url"),
      ],
      signature: "da5387159c6905f3afa27b4562025dada5a9300f4ccab870951b0bbd7a92dd81"),
    SignatureCase(
      name: "a parameter without a value", query: [.init("versioning")],
      signature: "34123435fe3c5233cc8f0d89a47aa26647fd3da3b735c742efb07577f8df7f78"),
    SignatureCase(
      name: "a percent sign", method: .delete, path: "/pictures/%41%",
      signature: "544115f4919f15d1ff4630aa887e4205e00dab45bfbfc0b923f66e9aaff9f9c2"),
    SignatureCase(
      name: "parameters of one name, and of one letter in both cases", method: .head, path: "/a/b",
      query: [.init("b", "2"), .init("B", "1"), .init("a", "3"), .init("a", "1")],
      signature: "fcb173523bc6e89d1fb7315494f46c36d2f9daa61046cca408a65baa6ab6ee9b"),
  ]

  @Test("the signature is that which botocore computes", arguments: examplesOfBotocore)
  func computed(example: SignatureCase) throws {
    try expect(example, host: "storage.example:9000", region: "eu-central-1")
  }

  private func expect(_ example: SignatureCase, host: String, region: String) throws {
    let request = CanonicalRequest(
      method: example.method, path: example.path, query: example.query,
      headers: [.init("host", host)] + example.headers, payload: CanonicalRequest.payload(Array(example.body.utf8)))
    let signed = request.signed(
      try Self.credentials(example.sessionToken), .init(region: region), at: Self.midnight)
    let authorization = try #require(signed.headers.last { $0.name == "authorization" })
    #expect(authorization.value.hasSuffix(", Signature=\(example.signature)"), "\(request.text)")
    #expect(signed.headers.contains { $0.name == "x-amz-security-token" } == (example.sessionToken != nil))
  }

  @Test("a presigned URL is that of S3's documentation, or which botocore computes", arguments: [
    (
      "examplebucket.s3.amazonaws.com", "us-east-1", "/test.txt", 86400, nil as String?,
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    ),
    (
      "storage.example:9000", "eu-central-1", "/pictures/ünï/写真 1.jpg", 600, nil,
      "c2e4341ce1a09409a937adc6a4025034cd6df21e390db6d508d43416663daaea"
    ),
    (
      "storage.example:9000", "eu-central-1", "/pictures/a+b", 86400, "IQoJb3JpZ2luX2VjE+/=token",
      "67941bed3e39cf5da9e0d6e16cc60f0b4349ecdcc9545111f31b40d5606fc692"
    ),
  ])
  func presigned(host: String, region: String, path: String, seconds: Int, token: String?, signature: String) throws {
    let request = CanonicalRequest(method: .get, path: path, headers: [.init("host", host)], payload: "")
    let url = request.presigned(
      try Self.credentials(token), .init(region: region), at: Self.midnight, forSeconds: seconds).url(at: "https://\(host)")
    #expect(url.contains("&X-Amz-Signature=\(signature)"), "\(url)")
    #expect(url.contains("?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2F"))
  }
}

@Suite("The time of a signature")
struct SigningTimeTests {
  @Test("the time is told in UTC, to the second", arguments: [
    (0, "19700101T000000Z"), (1_440_938_160, "20150830T123600Z"), (951_782_400, "20000229T000000Z"),
    (4_102_444_799, "20991231T235959Z"), (.min, "19700101T000000Z"), (.max, "99991231T235959Z"),
  ])
  func text(seconds: Int, text: String) {
    #expect(SigningTime(secondsSince1970: seconds).text == text)
  }

  @Test("the date of a response is read in its one form", arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 as Int?), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
    ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
    ("", nil), ("     ", nil),
  ])
  func date(text: String, seconds: Int?) {
    #expect(SigningTime(httpDate: text)?.secondsSince1970 == seconds)
  }
}

@Suite("Credentials of a bucket")
struct BucketCredentialsTests {
  @Test("credentials are refused where a header could not carry them", arguments: [
    ("", "secret", nil as String?), ("key", "", nil), ("key", "secret", ""), ("a key", "secret", nil),
    ("key", "sec\nret", nil), ("key", "secret", "é"), ("a/b", "secret", nil), ("a,b", "secret", nil),
  ])
  func refused(key: String, secret: String, token: String?) {
    #expect(BucketCredentials(accessKey: key, secretKey: secret, sessionToken: token) == nil)
  }

  @Test("a description of credentials contains none of them")
  func descriptions() throws {
    let credentials = try #require(BucketCredentials(accessKey: "AKIDEXAMPLE", secretKey: "wJalr", sessionToken: "tok"))
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
      #expect(!text.contains("AKID") && !text.contains("wJalr") && !text.contains("tok"))
    }
  }
}
