import Encodings
import SwiftASN1
import X509

/// A root certificate accepted for Apple's receipts.
public struct AppleRootCertificate: Sendable, Equatable {
  /// The certificate in DER; a receipt's root must be identical to these bytes.
  public let der: [UInt8]

  /// Reads the content of a certificate file, PEM or DER.
  /// - Throws: ``ReceiptConfigurationFailure/unreadableRoot`` unless it is exactly one CA certificate;
  ///   ``ReceiptConfigurationFailure/unreadableFile(reason:)`` for a text in another encoding than UTF-8.
  public init(file bytes: [UInt8]) throws(ReceiptConfigurationFailure) {
    let text: [UInt8]
    do throws(SavedText.OtherEncoding) {
      text = try SavedText.withoutMark(bytes)
    } catch {
      throw .unreadableFile(reason: "It \(error.problem)")
    }
    let pem = try? PEMDocument(pemString: String(decoding: text, as: UTF8.self))
    guard pem == nil || pem?.discriminator == Certificate.defaultPEMDiscriminator else { throw .unreadableRoot }
    let der = pem?.derBytes ?? bytes
    guard let certificate = try? Certificate(derEncoded: der),
      case .isCertificateAuthority? = try? certificate.extensions.basicConstraints
    else { throw .unreadableRoot }
    self.der = der
  }

  private init(der: [UInt8]) { self.der = der }
}

extension AppleRootCertificate {
  /// Apple Root CA - G3, the root of App Store receipts; valid until 2039-04-30.
  ///
  /// Its SHA-256 is 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179, as Apple publishes it at
  /// https://www.apple.com/certificateauthority/. If its text were damaged, every receipt would be refused.
  public static let appleG3 = AppleRootCertificate(der: Base64.decoded(appleG3Text) ?? [])

  private static let appleG3Text = """
    MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1B\
    cHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMwMTgxOTA2\
    WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24g\
    QXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJy\
    gRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517IDvYuVTZ\
    XpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG\
    CCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4at+qIxUCMG1mihDK1A3UT82N\
    Qz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==
    """
}
