/// Which certificates a ``CurlClient`` trusts, and through which proxy it connects.
public struct CurlSettings: Sendable, Equatable {
  public enum Proxy: Sendable, Equatable {
    /// The values of `https_proxy`, `ALL_PROXY`, `no_proxy` and similar variables when a transfer begins.
    case environment
    /// This proxy, regardless of the environment; such as "http://proxy.example:3128".
    case fixed(String)
    case none
  }

  /// A PEM file of certificates to trust instead of the system's file.
  public var certificateFile: String?
  /// A directory of certificates, named by their hashes, to trust instead of the system's directory.
  public var certificateDirectory: String?
  /// Loopback addresses of this machine never use a proxy.
  public var proxy: Proxy
  /// How long connections are kept when no request is in progress.
  public var idleTime: Duration

  public init(
    certificateFile: String? = nil, certificateDirectory: String? = nil, proxy: Proxy = .environment,
    idleTime: Duration = .seconds(118)
  ) {
    self.certificateFile = certificateFile
    self.certificateDirectory = certificateDirectory
    self.proxy = proxy
    self.idleTime = idleTime
  }

  /// Reads `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR` as the `curl` command does, since libcurl itself does
  /// not; an empty variable counts as unset.
  public init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let bundle = value("CURL_CA_BUNDLE")
    self.init(
      certificateFile: bundle ?? value("SSL_CERT_FILE"),
      certificateDirectory: bundle == nil ? value("SSL_CERT_DIR") : nil)
  }
}
