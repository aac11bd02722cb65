import FoundationEssentials
import SwiftASN1
import X509

/// A certificate that is still to be made, and the key it is for.
public struct CertificateRecipe: Sendable {
  public var name: String
  public var issuerName: String
  public var key: Certificate.PrivateKey
  public var issuerKey: Certificate.PrivateKey
  public var notBefore: Date
  public var notAfter: Date
  public var constraints: BasicConstraints
  public var usage: KeyUsage?
  /// The extension by which Apple tells its certificates apart.
  public var mark: ASN1ObjectIdentifier?
  /// An extension nobody has heard of, which must be understood all the same.
  public var hasCriticalRiddle = false

  public init(
    name: String, issuerName: String, key: Certificate.PrivateKey, issuerKey: Certificate.PrivateKey, notBefore: Date,
    notAfter: Date, constraints: BasicConstraints, usage: KeyUsage? = nil, mark: ASN1ObjectIdentifier? = nil
  ) {
    self.name = name
    self.issuerName = issuerName
    self.key = key
    self.issuerKey = issuerKey
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.constraints = constraints
    self.usage = usage
    self.mark = mark
  }

  /// Lets another certificate issue this one.
  public mutating func issuedBy(_ issuer: CertificateRecipe) {
    issuerName = issuer.name
    issuerKey = issuer.key
  }

  public func made() throws -> Certificate {
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
  public var der: [UInt8] {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(self)
      return serializer.serializedBytes
    }
  }
}
