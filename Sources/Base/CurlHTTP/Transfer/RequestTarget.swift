import CCurl
import Encodings

/// The destination of a request, once checked: `https` anywhere, `http` to this machine's loopback addresses unless the
/// request says that it may go elsewhere.
struct RequestTarget: Equatable {
  /// As libcurl's own parser reads it, so that the checked URL is the one used.
  var url: String
  var port: UInt16
  /// Whether the host is a loopback address or `localhost`.
  var isLoopback: Bool
  var isPlain: Bool
  /// Whether it may be plain to any address.
  var mayBePlain: Bool

  /// libcurl must have been loaded.
  init(_ text: String, mayBePlain: Bool = false) throws(HTTPError) {
    guard !text.utf8.contains(0), let url = ccurl_url() else { throw Self.refusal }
    defer { ccurl_url_cleanup(url) }
    guard ccurl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK,
      Self.part(url, CURLUPART_USER) == nil, Self.part(url, CURLUPART_PASSWORD) == nil,
      let scheme = Self.part(url, CURLUPART_SCHEME), let host = Self.part(url, CURLUPART_HOST),
      let port = Self.part(url, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap(UInt16.init),
      let whole = Self.part(url, CURLUPART_URL)
    else { throw Self.refusal }
    isPlain = scheme == "http"
    isLoopback = HostAddress(host).isLoopback
    guard scheme == "https" || (isPlain && (isLoopback || mayBePlain)) else { throw Self.refusal }
    self.mayBePlain = mayBePlain
    self.url = whole
    self.port = port
  }

  private static let refusal = HTTPError(
    .badURL, mayHaveBeenSent: false, detail: "The URL is neither https nor http to this machine.")

  private static func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard ccurl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}
