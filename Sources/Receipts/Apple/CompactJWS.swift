import AtelierProtocol

/// A JWS in compact serialization (RFC 7515 section 3.1), signed by ES256 with its certificates in the header; taken
/// apart, not verified.
struct CompactJWS {
  /// What was signed, byte for byte as it was received: header and payload, still in base64, and the dot between.
  let signedBytes: [UInt8]
  let payload: [UInt8]
  let signature: [UInt8]
  /// The certificates of `x5c` in DER, the signer's first.
  let certificates: [[UInt8]]

  /// - Throws: `too_large`, `malformed`, `wrong_algorithm`; `wrong_chain` unless there are exactly three certificates.
  init(_ text: String) throws(ReceiptRefusal) {
    guard text.utf8.count <= ReceiptVerifier.maximumBytes else { throw ReceiptRefusal(.tooLarge) }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.decoded(parts[0]) else { throw ReceiptRefusal(.malformed) }
    let header = try SignedDocument(headerBytes)
    guard header.value("alg")?.string == "ES256" else { throw ReceiptRefusal(.wrongAlgorithm) }
    // "crit" lists what a reader must understand, and this one understands nothing but what is here (section 4.1.11).
    guard !header.has("crit"), let payload = Base64URL.decoded(parts[1]), let signature = Base64URL.decoded(parts[2])
    else { throw ReceiptRefusal(.malformed) }
    self.payload = payload
    self.signature = signature
    signedBytes = Array(text.utf8[..<parts[1].endIndex])
    certificates = try Self.certificates(in: header)
  }

  private static func certificates(in header: SignedDocument) throws(ReceiptRefusal) -> [[UInt8]] {
    guard let texts = header.value("x5c")?.array, texts.count == AppleCertificateChain.length else {
      throw ReceiptRefusal(.wrongChain)
    }
    var certificates: [[UInt8]] = []
    for text in texts {
      guard let text = text.string, let certificate = Base64.decoded(text) else { throw ReceiptRefusal(.malformed) }
      certificates.append(certificate)
    }
    return certificates
  }
}
