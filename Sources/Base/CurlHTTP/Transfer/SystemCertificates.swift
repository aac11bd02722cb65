import CCurl
import POSIX

/// The locations of the certificates that the system trusts by default.
///
/// The system stores them twice: as one file, which is read and parsed for every connection (30 ms), and as a directory
/// in which only the required certificate is looked up. So only the directory is used at first, and the file only
/// if verification fails: a certificate may have been added to the file alone.
struct SystemCertificates: Equatable {
  let file: String
  let directory: String
  /// False once a server was found to be trusted only through the file.
  var isDirectoryEnough = true

  /// - Returns: nil unless both exist and the directory can be searched by hash.
  init?(defaultsOf easy: UnsafeMutableRawPointer) {
    guard ccurl_uses_openssl(), let file = Self.text(easy, CURLINFO_CAINFO),
      let directory = Self.text(easy, CURLINFO_CAPATH), Self.isSearchable(directory)
    else { return nil }
    self.file = file
    self.directory = directory
  }

  private static func text(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> String? {
    var text: UnsafePointer<CChar>?
    // libcurl before 7.84 does not support this query.
    guard ccurl_get_text(easy, info, &text) == CURLE_OK, let text else { return nil }
    return String(cString: text)
  }

  /// Whether an entry is named by a hash, such as "002c0b4f.0".
  private static func isSearchable(_ path: String) -> Bool {
    let names = (try? FileSystem.names(in: path)) ?? []
    return names.contains { $0.utf8.count == 10 && $0.hasSuffix(".0") && $0.utf8.prefix(8).allSatisfy(isHexDigit) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
