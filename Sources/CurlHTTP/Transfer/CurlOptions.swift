import CCurl
import Glibc

/// Sets the options of a handle, and remembers the first that libcurl refuses.
final class CurlOptions {
  private let easy: UnsafeMutableRawPointer
  private(set) var failure = CURLE_OK

  init(_ easy: UnsafeMutableRawPointer) {
    self.easy = easy
  }

  /// What holds for every transfer.
  func setFixed() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // A redirect is a response like any other: what the headers hold goes only where the caller sent it.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_NOPROGRESS, 0)
    set(CURLOPT_TCP_NODELAY, 1)
    // A provider may think for a minute: nothing on the way should take the connection for dead, or keep it when it is.
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    // Without it, breaking off a transfer waits for the resolver's answer. libcurl before 7.87 does not know it.
    ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
  }

  func setTarget(_ target: RequestTarget) {
    set(CURLOPT_URL, target.url)
    set(CURLOPT_HTTP_VERSION, target.isPlain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
    // A connection that is being made is waited for, since it may turn out to carry any number of transfers. Not with
    // plain HTTP, where only the first response would tell that it does not.
    set(CURLOPT_PIPEWAIT, target.isPlain ? 0 : 1)
    // A picture of some hundred kilobytes comes in few pieces. TLS gives no more than 16 KB at a time in any case.
    if target.isPlain { set(CURLOPT_BUFFERSIZE, 262_144) }
  }

  func setCertificates(_ settings: CurlSettings) {
    if let file = settings.certificateFile { set(CURLOPT_CAINFO, file) }
    if let directory = settings.certificateDirectory { set(CURLOPT_CAPATH, directory) }
  }

  func setProxy(_ proxy: CurlSettings.Proxy) {
    switch proxy {
    case .environment: break
    case .none: set(CURLOPT_PROXY, "")
    case .fixed(let proxy):
      set(CURLOPT_PROXY, proxy)
      set(CURLOPT_NOPROXY, "")
    }
  }

  func setRequest(_ request: HTTPRequest) {
    if let count = request.body?.count ?? (request.method == .post ? 0 : nil) {
      set(CURLOPT_POST, 1)
      if ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(count)) != CURLE_OK { note(CURLE_FAILED_INIT) }
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    // The loop counts on its own; this only tells libcurl how to share the time among several addresses of a name.
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(Int32(clamping: request.limits.connect.wholeMilliseconds))))
  }

  func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_long(easy, option, value)) }
  func set(_ option: CURLoption, _ value: String?) { note(ccurl_set_text(easy, option, value)) }
  func setList(_ option: CURLoption, _ list: UnsafeMutablePointer<curl_slist>?) {
    note(ccurl_set_list(easy, option, list))
  }

  func note(_ code: CURLcode) {
    if failure == CURLE_OK { failure = code }
  }
}
