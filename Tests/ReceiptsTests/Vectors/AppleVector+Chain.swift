import AtelierProtocol
import Crypto
import Encodings
import Receipts
import SimulatedShops
import X509

extension AppleVector {
  /// Who vouches for the signature.
  static let chain = lengths + roots + links + times + purposes

  private static let lengths = [
    AppleVector("no certificates", .wrongChain, .refuses) { try $0.transaction(x5c: nil) },
    AppleVector("an empty list of certificates", .wrongChain, .refuses) { try $0.transaction(x5c: []) },
    AppleVector("one certificate", .wrongChain, .refuses) { store in
      try store.transaction(certificates: Array(store.chain().prefix(1)))
    },
    AppleVector("two certificates", .wrongChain, .refuses) { store in
      try store.transaction(certificates: Array(store.chain().prefix(2)))
    },
    AppleVector("four certificates", .wrongChain, .refuses) { store in
      try store.transaction(certificates: store.chain() + [store.trustedRoot])
    },
    AppleVector("a text instead of certificates", .wrongChain, .refuses) { store in
      try store.transaction(x5c: .string(Base64.encoded(store.trustedRoot.der)))
    },
  ]

  private static let roots = [
    AppleVector("a foreign root of the same name", .untrustedRoot, .refuses) { store in
      store.root.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
      store.root.issuerKey = store.root.key
      store.intermediate.issuedBy(store.root)
      return try store.transaction(certificates: [store.leaf.made(), store.intermediate.made(), store.root.made()])
    },
    AppleVector(
      "a foreign root in a good chain", .untrustedRoot, .laxer("it does not look at the third certificate")
    ) { store in
      let good = try store.chain()
      store.root.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
      store.root.issuerKey = store.root.key
      return try store.transaction(certificates: [good[0], good[1], store.root.made()])
    },
    AppleVector(
      "the root's key in another certificate", .untrustedRoot, .laxer("it does not look at the third certificate")
    ) { store in
      let good = try store.chain()
      return try store.transaction(certificates: [good[0], good[1], store.root.made()])
    },
    AppleVector("a foreign chain under the configured root", .wrongChain, .refuses) { store in
      store.root.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
      store.intermediate.issuedBy(store.root)
      return try store.transaction(certificates: [store.leaf.made(), store.intermediate.made(), store.trustedRoot])
    },
  ]

  private static let links = [
    AppleVector("a leaf signed by another key", .wrongChain, .refuses) { store in
      store.leaf.issuerKey = Certificate.PrivateKey(P384.Signing.PrivateKey())
      return try store.transaction()
    },
    AppleVector("a leaf of another issuer's name", .wrongChain, .refuses) { store in
      store.leaf.issuerName = "Somebody Else"
      return try store.transaction()
    },
    AppleVector("a leaf right under the root", .wrongChain, .refuses) { store in
      store.leaf.issuedBy(store.root)
      return try store.transaction()
    },
    AppleVector("the certificates in another order", .wrongChain, .refuses) { store in
      let chain = try store.chain()
      return try store.transaction(certificates: [chain[1], chain[0], chain[2]])
    },
    AppleVector("the root three times", .wrongChain, .refuses) { store in
      try store.transaction(certificates: [store.trustedRoot, store.trustedRoot, store.trustedRoot])
    },
    AppleVector("an intermediate that is no authority", .wrongChain, .refuses) { store in
      store.intermediate.constraints = .notCertificateAuthority
      return try store.transaction()
    },
    AppleVector("bytes after a certificate", .wrongChain, .notAsked("whether OpenSSL reads on is its own affair")) {
      store in
      let ders = try store.chain().map { try $0.der }
      return try store.transaction(x5c: .array([ders[0] + [0], ders[1], ders[2]].map { .string(Base64.encoded($0)) }))
    },
    AppleVector("a bit flipped in a certificate", .wrongChain, .refuses) { store in
      var ders = try store.chain().map { try $0.der }
      ders[0][ders[0].count - 10] ^= 1
      return try store.transaction(x5c: .array(ders.map { .string(Base64.encoded($0)) }))
    },
  ]

  private static func times(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, _ library: Library, _ certificate: Certified,
    days: ClosedRange<Double>
  ) -> AppleVector {
    AppleVector(name, refusal, library) { store in
      store[keyPath: certificate.path].notBefore = AppleStore.signedAt.date(days: days.lowerBound)
      store[keyPath: certificate.path].notAfter = AppleStore.signedAt.date(days: days.upperBound)
      return try store.transaction()
    }
  }

  /// Which certificate of the chain a vector is about.
  private enum Certified {
    case leaf, intermediate

    var path: WritableKeyPath<AppleStore, CertificateRecipe> {
      switch self {
      case .leaf: \.leaf
      case .intermediate: \.intermediate
      }
    }
  }

  private static let times = [
    times("a leaf that expired since it signed", nil, .accepts, .leaf, days: -100...1),
    times("a leaf on its last second", nil, .accepts, .leaf, days: -100...0),
    times("a leaf on its first second", nil, .accepts, .leaf, days: 0...100),
    times("a leaf that had expired", .expiredCertificate, .refuses, .leaf, days: -100 ... -1),
    times("a leaf that was not valid yet", .expiredCertificate, .refuses, .leaf, days: 1...100),
    times("an intermediate that had expired", .expiredCertificate, .refuses, .intermediate, days: -100 ... -1),
    times("an intermediate that was not valid yet", .expiredCertificate, .refuses, .intermediate, days: 1...100),
  ]

  private static let purposes = [
    AppleVector("a leaf without its mark", .missingOID, .refuses) { store in
      store.leaf.mark = nil
      return try store.transaction()
    },
    AppleVector("a leaf without its mark, and another's signature", .missingOID, .refuses) { store in
      store.leaf.mark = nil
      store.signingKey = P256.Signing.PrivateKey()
      return try store.transaction()
    },
    AppleVector("an intermediate without its mark", .missingOID, .refuses) { store in
      store.intermediate.mark = nil
      return try store.transaction()
    },
    AppleVector("the marks swapped", .missingOID, .refuses) { store in
      swap(&store.leaf.mark, &store.intermediate.mark)
      return try store.transaction()
    },
    AppleVector("a leaf that is an authority", .wrongChain, .laxer("it does not look at the leaf's constraints")) {
      store in
      store.leaf.constraints = .isCertificateAuthority(maxPathLength: nil)
      store.leaf.usage = KeyUsage(digitalSignature: true, keyCertSign: true)
      return try store.transaction()
    },
    AppleVector("a leaf that may not sign", .wrongChain, .laxer("it does not look at the leaf's key usage")) { store in
      store.leaf.usage = KeyUsage(keyEncipherment: true)
      return try store.transaction()
    },
    AppleVector("an intermediate that may not sign certificates", .wrongChain, .refuses) { store in
      store.intermediate.usage = KeyUsage(digitalSignature: true)
      return try store.transaction()
    },
    AppleVector("a leaf that does not limit its key", nil, .accepts) { store in
      store.leaf.usage = nil
      return try store.transaction()
    },
    AppleVector("a leaf with a riddle that must be understood", .wrongChain, .refuses) { store in
      store.leaf.hasCriticalRiddle = true
      return try store.transaction()
    },
    AppleVector("a leaf whose key is of another curve", .wrongChain, .refuses) { store in
      store.leaf.key = Certificate.PrivateKey(P384.Signing.PrivateKey())
      return try store.transaction()
    },
  ]
}
