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

  @Test("The embedded models are the known ones", arguments: EmbeddedModel.allCases)
  func embedded(model: EmbeddedModel) throws {
    #expect(SHA256.hexDigest(of: model.bytes) == model.digest)
    _ = try model.load()
  }

  @Test("A model with one changed bit is refused")
  func altered() {
    var bytes = EmbeddedModel.faceDetection.bytes
    bytes[bytes.count / 2] ^= 1
    #expect {
      try EmbeddedModel.load(bytes, digest: EmbeddedModel.faceDetection.digest, name: "face_detection")
    } throws: { error in
      guard case PortraitError.modelsUnusable(let reason)? = error as? PortraitError else { return false }
      return reason.contains("face_detection")
    }
  }
}
