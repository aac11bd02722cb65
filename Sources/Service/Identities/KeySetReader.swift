import AtelierProtocol
import CurlHTTP
import Encodings
import POSIX

/// Reads the documents of key sets from servers and files.
struct KeySetReader: Sendable {
  private static let limits = HTTPLimits(
    total: .seconds(10), connect: .seconds(5), stall: .seconds(10), responseBytes: KeySet.maximumBytes)

  let http: any HTTPPerforming

  /// Makes one request. Redirects are not followed: they could lead to another server, or out of TLS.
  func document(at url: String) async throws(KeySetFailure) -> String {
    let headers = [HTTPHeader("User-Agent", "atelier/\(Version.current)"), HTTPHeader("Accept", "application/json")]
    let response: HTTPResponse
    do {
      response = try await http.perform(HTTPRequest(.get, url, headers: headers, limits: Self.limits))
    } catch let error as HTTPError {
      throw .unreachable(error.cause)
    } catch {
      throw .stopped
    }
    guard response.status == 200 else { throw .status(response.status) }
    guard response.body.count <= KeySet.maximumBytes else { throw .tooLarge }
    let bytes: [UInt8]
    do throws(SavedText.OtherEncoding) {
      bytes = try SavedText.withoutMark(response.body)
    } catch {
      throw .otherEncoding(error)
    }
    return try Self.text(bytes)
  }

  /// Reads a regular file, to which links may lead.
  static func document(inFile path: String) async throws(KeySetFailure) -> String {
    do {
      return try await LazyThreadPool.shared.run { try read(path) }
    } catch let failure as KeySetFailure {
      throw failure
    } catch let failure as FileFailure {
      throw .unreadable(failure.reason)
    } catch {
      throw .stopped
    }
  }

  @Sendable private static func read(_ path: String) throws -> String {
    let path = try FileSystem.resolved(path)
    guard let status = try FileStatus(path: path), status.isRegularFile else { throw KeySetFailure.noFile }
    guard status.bytes <= KeySet.maximumBytes else { throw KeySetFailure.tooLarge }
    return try text(try FileSystem.readText(path))
  }

  private static func text(_ bytes: [UInt8]) throws(KeySetFailure) -> String {
    guard let document = String(validating: bytes, as: UTF8.self) else { throw .noKeySet }
    return document
  }
}
