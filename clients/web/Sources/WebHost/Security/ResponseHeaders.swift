import HTTPTypes

/// The headers of every response: what browsers must not do with our pages.
struct ResponseHeaders: Sendable {
  private let fields: HTTPFields

  /// - Parameters:
  ///   - tileOrigin: the server of the map's tiles, if one is configured.
  ///   - isSecure: whether people reach us over TLS, and are to do so from now on.
  init(tileOrigin: String?, isSecure: Bool) {
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'",
      "img-src 'self' blob:\(tileOrigin.map { " \($0)" } ?? "")", "media-src blob:", "connect-src 'self'",
      "manifest-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
    ]
    var fields: HTTPFields = [
      .contentSecurityPolicy: policy.joined(separator: "; "), .xContentTypeOptions: "nosniff",
    ]
    for (name, value) in [
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
      ("Permissions-Policy", "camera=(self), geolocation=(self), microphone=()"),
    ] {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if isSecure { fields[.strictTransportSecurity] = "max-age=31536000" }
    self.fields = fields
  }

  func add(to headers: inout HTTPFields) {
    for field in fields where headers[field.name] == nil { headers.append(field) }
  }
}
