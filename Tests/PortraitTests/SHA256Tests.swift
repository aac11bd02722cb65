import Testing

@testable import Portrait

@Suite("SHA-256")
struct SHA256Tests {
  /// FIPS 180-4 examples and the NIST CAVP byte vectors.
  static let vectors: [(message: [UInt8], digest: String)] = [
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      Array(
        ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu").utf8),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    ([0xbd], "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
    ([0xc9, 0x8c, 0x8e, 0x55], "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"),
    ([UInt8](repeating: 0, count: 55), "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
    ([UInt8](repeating: 0, count: 56), "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
    ([UInt8](repeating: 0, count: 64), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
    ([UInt8](repeating: 0x61, count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test("SHA-256 gives the standard's digests", arguments: vectors.indices)
  func digest(index: Int) {
    let vector = Self.vectors[index]
    #expect(SHA256.hexDigest(of: vector.message) == vector.digest)
  }

  static let networks: [(EmbeddedModel, digest: String)] = [
    (.faceDetection, "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8"),
    (.faceLandmark, "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814"),
    (.poseSegmentation, "30ce767efb9e540e2119864c117e60b0692fdb37d7bb8cf733fec1f19392bee4"),
    (.salience, "b0c82484ecbbd4734358ae52339b19a6d5003d76c143c8bb047a10666eb474fb"),
    (.selfieSegmentation, "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c"),
  ]

  @Test("The embedded models are the known ones, and each is compared", arguments: EmbeddedModel.allCases)
  func embedded(model: EmbeddedModel) throws {
    let known = try #require(Self.networks.first { $0.0 == model })
    #expect(SHA256.hexDigest(of: model.bytes) == known.digest)
    _ = try model.load()
  }
}
