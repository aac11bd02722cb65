import CCurl
import Glibc
import Testing

@testable import CurlHTTP

@Suite("A request in plain HTTP")
struct PlainTransferTests {
  @Test("a plain request goes to this machine alone, whatever its host resolves to; a secure one goes anywhere", arguments: [
    ("http://localhost:8080/", "127.0.0.1", true), ("http://localhost:8080/", "127.9.9.9", true),
    ("http://localhost:8080/", "10.0.0.1", false), ("http://localhost:8080/", "93.184.216.34", false),
    ("http://127.0.0.1/", "192.168.1.1", false), ("http://localhost/", "0.0.0.0", false),
    ("https://localhost:8080/", "10.0.0.1", true), ("https://example.com/", "93.184.216.34", true),
  ])
  func address(url: String, address: String, isAllowed: Bool) async throws {
    try CurlLibrary.load()
    let easy = try #require(ccurl_easy_init())
    defer { ccurl_easy_cleanup(easy) }
    var socket = sockaddr_in()
    socket.sin_family = sa_family_t(AF_INET)
    socket.sin_port = UInt16(8080).bigEndian
    #expect(inet_pton(AF_INET, address, &socket.sin_addr) == 1)
    let target = withUnsafePointer(to: &socket) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { SocketAddress($0) }
    }
    _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<HTTPResponse, any Error>) in
      let transfer = Transfer(
        TransferOrder(
          number: 1, began: .now, request: HTTPRequest(.get, url), takesPieces: false, event: { _ in },
          isCancelled: { false }, continuation: continuation), easy)
      #expect(throws: Never.self) { try transfer.configure(CurlSettings(), nil) }
      #expect(transfer.allows(target) == isAllowed)
      #expect(!transfer.allows(nil))
      #expect(isAllowed || transfer.failure(.total).cause == .timedOut(.total) && !transfer.mayHaveBeenSent)
      continuation.resume(returning: HTTPResponse(status: 200, headers: [], body: []))
    }
  }
}
