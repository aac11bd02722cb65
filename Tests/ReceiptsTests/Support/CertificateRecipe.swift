import FoundationEssentials
import SwiftASN1
import X509

/// A certificate as a test wants it, and the key it is for. Every one is made while the tests run.
struct CertificateRecipe: Sendable {
  var name: String
  var issuerName: String
  var key: Certificate.PrivateKey
  var issuerKey: Certificate.PrivateKey
  var notBefore: Date
  var notAfter: Date
  var constraints: BasicConstraints
  var usage: KeyUsage?
  /// The extension by which Apple tells its certificates apart.
  var mark: ASN1ObjectIdentifier?
  /// An extension nobody has heard of, which must be understood all the same.
  var hasCriticalRiddle = false

  func made() throws -> Certificate {
    var extensions = [
      try Certificate.Extension(constraints, critical: true),
      try Certificate.Extension(SubjectKeyIdentifier(hash: key.publicKey), critical: false),
      try Certificate.Extension(
        AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier),
        critical: false),
    ]
    if let usage { extensions.append(try Certificate.Extension(usage, critical: true)) }
    if let mark { extensions.append(Certificate.Extension(oid: mark, critical: false, value: [0x05, 0x00])) }
    if hasCriticalRiddle {
      extensions.append(Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 99_999, 1], critical: true, value: [0x05, 0x00]))
    }
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: notBefore,
      notValidAfter: notAfter, issuer: Self.distinguished(issuerName), subject: Self.distinguished(name),
      extensions: Certificate.Extensions(extensions), issuerPrivateKey: issuerKey)
  }

  private static func distinguished(_ name: String) throws -> DistinguishedName {
    try DistinguishedName {
      CommonName(name)
      OrganizationName("Apple Inc.")
      CountryName("US")
    }
  }
}

extension Certificate {
  var der: [UInt8] {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(self)
      return serializer.serializedBytes
    }
  }
}
