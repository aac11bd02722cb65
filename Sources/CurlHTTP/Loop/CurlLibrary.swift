import CCurl

/// The library itself.
enum CurlLibrary {
  /// Loads it; may be called by any thread, again and again, and takes some milliseconds the first time.
  static func load() throws(HTTPError) {
    if let reason = ccurl_load() {
      throw HTTPError(.unusable, mayHaveBeenSent: false, detail: "\(String(cString: reason)).")
    }
  }
}

extension HTTPError {
  static let noMemory = HTTPError(
    .unusable, mayHaveBeenSent: false, detail: "libcurl has no memory for a transfer, or is too old.")
}
