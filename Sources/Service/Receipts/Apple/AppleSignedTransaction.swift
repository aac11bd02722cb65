import AtelierProtocol
import Encodings
import FoundationEssentials
import JSON
import JWTKit

/// One of Apple's transactions as it was received: a JWS in compact serialization (RFC 7515 section 3.1), signed with
/// ES256, with its certificates in the header.
///
/// jwt-kit verifies the chain of certificates and the signature. It would accept more than Apple signs, which is refused
/// before it sees it: padded base64, repeated names of members, extensions that must be understood, other algorithms, and
/// a root that only has the same key. It also tells no reasons apart, and a large number in a header would end it.
struct AppleSignedTransaction {
  private let text: String
  private let chain: AppleCertificateChain
  private let transaction: AppleTransaction

  /// Parses `text`; verifies nothing but the root.
  /// - Throws: `too_large`, `malformed`, `wrong_algorithm`, `wrong_chain`, `untrusted_root`.
  init(_ text: String, trusting roots: [AppleRootCertificate]) throws(ReceiptRefusal) {
    guard text.utf8.count <= PurchaseProof.maximumBytes else { throw ReceiptRefusal(.tooLarge) }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let headerBytes = Base64URL.decoded(parts[0]) else { throw ReceiptRefusal(.malformed) }
    let header = try SignedDocument(headerBytes)
    guard header.value("alg")?.string == Self.algorithm else { throw ReceiptRefusal(.wrongAlgorithm) }
    // "crit" lists extensions that a reader must understand; this one understands none (section 4.1.11).
    guard !header.has("crit"), let payload = Base64URL.decoded(parts[1]), Base64URL.decoded(parts[2]) != nil
    else { throw ReceiptRefusal(.malformed) }
    chain = try AppleCertificateChain(Self.certificates(in: header), trusting: roots)
    transaction = try AppleTransaction(payload)
    self.text = text
  }

  fileprivate static let algorithm = "ES256"

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

  /// The content, once the chain is verified to have been valid when Apple signed it, by the time it states itself.
  ///
  /// Apple's own library also verifies the chain at that time when it works offline: receipts outlive the certificates
  /// that signed them.
  /// - Throws: `expired_certificate`, `wrong_chain`, `missing_oid`, `bad_signature`.
  func verified() async throws(ReceiptRefusal) -> AppleTransaction {
    let verified: Result<AppleTransaction, ReceiptRefusal>
    do {
      let policy = AppleCertificatePolicy(chain)
      verified = .success(
        try await X5CVerifier(rootCertificates: [chain.root])
          .verifyJWS(Array(text.utf8), as: AppleTransaction.self, jsonDecoder: StrictJSONDecoder()) { policy })
    } catch let error as JWTError where error.errorType == .invalidX5CChain {
      throw ReceiptRefusal(chain.isValid(at: transaction.signedDate) ? .wrongChain : .expiredCertificate)
    } catch {
      verified = .failure(ReceiptRefusal(chain.hasSignerKey ? .badSignature : .wrongChain))
    }
    try chain.checkMarks()
    return try verified.get()
  }
}

/// Parses the parts of a JWS for jwt-kit by the rules for signed documents.
private struct StrictJSONDecoder: JWTJSONDecoder {
  func decode<Part: Decodable>(_ type: Part.Type, from bytes: Data) throws -> Part {
    let document = try SignedDocument(Array(bytes))
    if let header = Self.header(document) as? Part { return header }
    return try JSONValueDecoder(unknownMembers: .ignore).decode(type, from: document.value)
  }

  /// The members that the chain and the signature depend on. Any other may hold numbers, on which jwt-kit's own decoder
  /// traps when they are no `Int`.
  private static func header(_ document: SignedDocument) -> JWTHeader {
    let certificates = document.value("x5c")?.array?.compactMap(\.string) ?? []
    return [
      "alg": .string(AppleSignedTransaction.algorithm), "x5c": .array(certificates.map(JWTHeaderField.string)),
    ]
  }
}
