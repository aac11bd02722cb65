/// HTTP over libcurl: every transfer of the client goes on at once, on one thread of its own and over shared
/// connections.
///
/// The thread starts with the first request or ``warmUp()``, sleeps while there is nothing to do, and ends with
/// ``close()`` or with the client. libcurl is loaded by that thread, so a program that never uses the network does not
/// pay for it; where it is not installed, requests fail with ``HTTPError/Cause/unusable``.
public final class CurlClient: HTTPPerforming {
  private let queue: TransferQueue

  public init(_ settings: CurlSettings) {
    queue = TransferQueue(settings)
  }

  deinit { queue.close() }

  /// Starts the thread and loads libcurl in the background, so that the first request need not wait for it. May be
  /// called any number of times; what goes wrong is told to the first request.
  public func warmUp() { queue.warmUp() }

  /// Ends the thread and closes every connection. Transfers under way, and later ones, fail with
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

/// Whom a ``CurlClient`` trusts, and by what way it reaches them.
public struct CurlSettings: Sendable, Equatable {
  public enum Proxy: Sendable, Equatable {
    /// What `https_proxy`, `ALL_PROXY`, `no_proxy` and their like say when a transfer begins.
    case environment
    /// Whatever the environment says, this one; such as "http://proxy.example:3128".
    case fixed(String)
    case none
  }

  /// A file of certificates in PEM to trust in place of the system's file.
  public var certificateFile: String?
  /// A directory of certificates, named by their hashes, to trust in place of the system's directory.
  public var certificateDirectory: String?
  /// This machine's loopback addresses are never reached by a proxy.
  public var proxy: Proxy
  /// How long connections are kept when no request is under way.
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
  /// not; an empty variable counts as none.
  public init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let bundle = value("CURL_CA_BUNDLE")
    self.init(
      certificateFile: bundle ?? value("SSL_CERT_FILE"),
      certificateDirectory: bundle == nil ? value("SSL_CERT_DIR") : nil)
  }
}
