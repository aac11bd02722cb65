import CWebPages
import Crypto
import Encodings
import Hummingbird
import POSIX

/// A file as browsers get it.
struct StaticFile: Sendable {
  var bytes: [UInt8]
  var mediaType: String
  /// The entity tag: the digest of the bytes.
  var tag: String

  init(_ bytes: [UInt8], named name: String) {
    self.bytes = bytes
    mediaType = Self.mediaTypes[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
    tag = "\"\(Hexadecimal.text(SHA256.hash(data: bytes).prefix(16)))\""
  }

  private static let mediaTypes = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
    "webmanifest": "application/manifest+json",
  ]

  /// The answer to a request for the file: without the bytes where the browser has them already.
  func response(to request: Request) -> Response {
    let headers: HTTPFields = [.contentType: mediaType, .eTag: tag, .cacheControl: "no-cache"]
    if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// The pages, which are part of the executable.
enum Pages {
  /// By their paths in the folder of the pages.
  static let files: [String: StaticFile] = {
    // The table and what it points to are read-only data of the executable; the names end with a zero byte.
    let table = UnsafeBufferPointer(start: web_pages(), count: web_pages_count())
    return Dictionary(
      uniqueKeysWithValues: table.map { page in
        let name = String(cString: page.name)
        return (name, StaticFile(Array(UnsafeBufferPointer(start: page.begin, count: page.end - page.begin)), named: name))
      })
  }()

  /// A file by its path: of the executable, or of the folder `directory` while somebody changes the pages.
  static func file(_ path: String, in directory: String?) -> StaticFile? {
    guard let directory else { return files[path] }
    guard !path.split(separator: "/").contains("..") else { return nil }
    return (try? FileSystem.read("\(directory)/\(path)")).map { StaticFile($0, named: path) }
  }

  /// The file of every screen: which one is shown, the page reads from its address.
  static let screen = "index.html"
}
