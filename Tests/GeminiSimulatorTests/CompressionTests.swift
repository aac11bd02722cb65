import Foundation
import Testing

@testable import GeminiSimulator

@Suite("Compressed bodies", .timeLimit(.minutes(2)))
struct CompressionTests {
  /// What Python's zlib makes of the bytes, at most so much of it.
  private static func unfolded(_ bytes: [UInt8], atMost count: Int) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("simulated-\(UUID()).gz")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = """
      import sys, zlib
      sys.stdout.buffer.write(zlib.decompressobj(31).decompress(open(sys.argv[1], "rb").read(), int(sys.argv[2])))
      """
    let run = try await Command.run("python3", ["-c", script, file.path, "\(count)"])
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test("A good answer may be compressed")
  func gzip() async throws {
    try await withSimulator { simulator in
      let plain = try await simulator.exchange(.generate(prompt: "x [[fault:no-image]]"))
      simulator.always(ScenarioStep(.transport(.gzip)))
      let response = try await simulator.exchange(.generate(prompt: "x"))
      #expect(response.header("Content-Encoding") == "gzip")
      let text = try await Self.unfolded(response.body, atMost: 1 << 20)
      #expect(text.hasPrefix("{\"") && text.hasSuffix("}") && text.count > plain.text.count)
    }
  }

  @Test("An answer may claim to be compressed and not be")
  func falseGzip() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.transport(.falseGzip))
      let response = try await simulator.exchange(.generate(prompt: "x"))
      #expect(response.header("Content-Encoding") == "gzip")
      #expect(try response.pictures.count == 1)
    }
  }

  @Test("A small body unfolds without end")
  func bomb() async throws {
    let bytes = Zlib.endlessOpening + (0..<3).flatMap { _ in Zlib.endlessPattern }
    let text = try await Self.unfolded(bytes, atMost: 1_000_000)
    #expect(text.count == 1_000_000 && text.allSatisfy { $0 == " " })
    #expect(bytes.count < 10_000)
  }
}
