/// HTTP over libcurl: all transfers of the client run concurrently, on one dedicated thread and over shared
/// connections.
///
/// The thread starts with the first request or ``warmUp()``, sleeps while it is idle, and ends with ``close()`` or when
/// the client is released. The thread loads libcurl, so a program that never uses the network does not pay for it;
/// where libcurl is not installed, requests fail with ``HTTPError/Cause/unusable``.
public final class CurlClient: HTTPPerforming {
  private let queue: TransferQueue

  public init(_ settings: CurlSettings) {
    queue = TransferQueue(settings)
  }

  deinit { queue.close() }

  /// Starts the thread and loads libcurl in the background, so that the first request need not wait for it. May be
  /// called any number of times; the first request reports any failure.
  public func warmUp() { queue.warmUp() }

  /// Ends the thread and closes every connection. Transfers in progress, and later ones, fail with
  /// ``HTTPError/Cause/unusable``.
  public func close() { queue.close() }

  public func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    let began = ContinuousClock.now
    try Task.checkCancellation()
    for header in request.headers where !header.canBeSent {
      throw HTTPError(.badHeader, mayHaveBeenSent: false, detail: "A header holds a character that cannot be sent.")
    }
    let number = queue.reserve()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.start(
          TransferOrder(
            number: number, began: began, request: request, takesPieces: takesPieces, event: event,
            isCancelled: { [queue] in queue.isCancelled(number) }, continuation: continuation))
      }
    } onCancel: {
      queue.cancel(number)
    }
  }
}

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
