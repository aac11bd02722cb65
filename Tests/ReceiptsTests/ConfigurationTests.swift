import AtelierProtocol
import Crypto
import CryptoExtras
import Encodings
import Receipts
import SimulatedShops
import Support
import SwiftASN1
import Testing
import X509

@Suite("What an operator configures for receipts")
struct ConfigurationTests {
  @Test("the configured root is Apple's authentic one unless told otherwise")
  func authenticRoot() throws {
    let verifier = ApplePurchaseVerifier(bundleID: "org.example", productIDs: [])
    #expect(verifier.roots == [.appleG3])
    #expect(!verifier.allowsSandbox)
    // As published at https://www.apple.com/certificateauthority/.
    let fingerprint: [UInt8] = [
      0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
      0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
    ]
    #expect(Array(SHA256.hash(data: AppleRootCertificate.appleG3.der)) == fingerprint)
    #expect(try AppleRootCertificate(file: AppleRootCertificate.appleG3.der) == .appleG3)
  }

  @Test("the configured root may be in DER or in PEM")
  func rootFiles() throws {
    let root = try AppleStore.shared.get().trustedRoot
    let fromDER = try AppleRootCertificate(file: root.der)
    let fromPEM = try AppleRootCertificate(file: Array("The root:\n\(root.serializeAsPEM().pemString)\n".utf8))
    #expect(fromDER == fromPEM)
    let text = try root.serializeAsPEM().pemString
    #expect(try AppleRootCertificate(file: SavedAs.marked(text)) == fromDER)
    #expect(throws: ReceiptConfigurationFailure.unreadableFile(reason: "It is in UTF-16: save it as UTF-8 and try again.")) {
      try AppleRootCertificate(file: SavedAs.utf16(text))
    }
    #expect(fromDER.der == (try root.der))
  }

  @Test("a root is refused when it is not exactly one certificate of an authority")
  func noRoot() throws {
    let store = try AppleStore.shared.get()
    let (root, leaf) = (try store.trustedRoot.serializeAsPEM().pemString, try store.leaf.made().der)
    let key = store.signingKey.publicKey.pemRepresentation
    let files = [
      [], Array("no certificate".utf8), leaf, Array((root + "\n" + root).utf8), Array(key.utf8), [0x30, 0x80],
    ]
    for (number, file) in files.enumerated() {
      #expect(throws: ReceiptConfigurationFailure.unreadableRoot, "file \(number)") {
        try AppleRootCertificate(file: file)
      }
    }
  }

  @Test("the configured key of Google's may have line breaks")
  func keyWithLineBreaks() throws {
    let text = Base64.encoded(Array(try GooglePlay.shared.get().key.publicKey.derRepresentation))
    _ = try GooglePublicKey(base64: " \(text.prefix(64))\n\(text.dropFirst(64))\r\n")
  }

  @Test("a key of Google's is refused when it is too short")
  func weakKey() throws {
    let key = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
    #expect(throws: ReceiptConfigurationFailure.weakKey(bits: 1024)) {
      try GooglePublicKey(base64: Base64.encoded(Array(key.publicKey.derRepresentation)))
    }
  }

  @Test("a key of Google's is refused when it is another kind of key, or none")
  func noKey() throws {
    let key = try GooglePlay.shared.get().key
    let texts = [
      "", "no key", Base64.encoded([1, 2, 3]), Base64.encoded(Array(key.publicKey.pkcs1DERRepresentation)),
      Base64.encoded(Array(key.derRepresentation)), key.publicKey.pemRepresentation,
      Base64.encoded(Array(P256.Signing.PrivateKey().publicKey.derRepresentation)),
    ]
    for (number, text) in texts.enumerated() {
      #expect(throws: ReceiptConfigurationFailure.unreadableKey, "text \(number)") { try GooglePublicKey(base64: text) }
    }
  }

  @Test("a configured value is never quoted when it is wrong")
  func sentences() {
    for failure in [ReceiptConfigurationFailure.unreadableRoot, .unreadableKey, .weakKey(bits: 1024)] {
      #expect(failure.sentence.hasSuffix("."))
    }
    #expect(ReceiptConfigurationFailure.weakKey(bits: 1024).sentence.contains("1024"))
  }
}
