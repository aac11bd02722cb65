import Foundation
import Glibc
import JSON
import POSIX
import ServiceFixture
import Support
import Testing

/// A server that accepts every connection, takes what is sent, and never says anything: the kernel does so for a listener
/// that asks for none of its connections.
private final class SilentServer: Sendable {
  let port: UInt16
  private let listener: FileDescriptor

  init() throws {
    listener = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    let number = listener.number
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      // The calls use the address during the calls only.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(number, address, length) == 0 && listen(number, 128) == 0 ? getsockname(number, address, &length) : -1
      }
    }
    guard status == 0 else { throw SystemError(code: errno, operation: "listen") }
    port = UInt16(bigEndian: address.sin_port)
  }
}

@Suite("A store that takes bytes and never answers", .timeLimit(.minutes(5)))
struct SilentStoreTests {
  enum Part: String, CaseIterable, Sendable { case database, bucket }

  private let directory: TemporaryDirectory
  private let server: SilentServer

  init() throws {
    directory = try TemporaryDirectory()
    server = try SilentServer()
  }

  private func configuration(_ part: Part) throws -> String {
    let text =
      switch part {
      case .database: #"{"store": {"url": "postgresql://works@127.0.0.1:\#(server.port)/shop?sslmode=disable"}}"#
      case .bucket: #"{"artifacts": {"url": "s3://pictures/at?endpoint=http://127.0.0.1:\#(server.port)"}}"#
      }
    return try directory.write("atelier.json", Array(text.utf8))
  }

  private static let key = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]

  @Test("the doctor goes on without it, names it, and ends", arguments: Part.allCases)
  func doctor(part: Part) async throws {
    let outcome = try await Executable.run(
      ["doctor", "--data-dir", directory.path("data"), "--config", try configuration(part)], environment: Self.key)
    #expect(outcome.status == 1, "\(outcome.output) \(outcome.errors)")
    let faults = outcome.output.split(separator: "\n").filter { $0.hasPrefix("✗") }
    let topic = part == .database ? "data directory" : "bucket"
    #expect(faults.contains { $0.hasPrefix("✗ \(topic)") }, "\(outcome.output)")
    // What comes after it is checked as well.
    #expect(outcome.output.contains("templates:") && outcome.output.contains("API key"), "\(outcome.output)")
  }

  @Test("a status tells what is known, to seven that ask at once, and the service ends")
  func status() async throws {
    let service = try ServiceProcess(
      ["serve", "--data-dir", directory.path("data"), "--config", try configuration(.database)])
    _ = try await service.host.call(1, "initialize")
    for id in 2..<9 { try service.host.ask(id, "status") }
    for _ in 2..<9 {
      let answer = try #require(await service.host.next())
      #expect(answer["result"]?["store"]?["healthy"] == false, "\(answer.serializedText)")
      #expect(answer["result"]?["store"]?["problem"]?.string != nil)
    }
    service.host.closeInput()
    // As with any store that cannot be opened.
    #expect(await service.exitStatus.value == 3)
  }
}
