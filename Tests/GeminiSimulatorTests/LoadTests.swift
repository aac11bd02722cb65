import Encodings
import Foundation
import Glibc
import Testing

@testable import GeminiSimulator

@Suite("Many at once", .timeLimit(.minutes(2)))
struct LoadTests {
  @Test("A thousand connections are held, then each gets the answer to its own request")
  func thousand() async throws {
    let count = 1000
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur > 2 * count + 200 else { try Test.cancel("Only \(limit.rlim_cur) files may be open here.") }

    try await withSimulator({ $0.always = ScenarioStep(.transport(.hold)) }) { simulator in
      var connections: [RawConnection] = []
      for number in 1...count {
        let connection = try RawConnection(port: simulator.port)
        try await connection.send(RawRequest.generate(prompt: "prompt \(number)").bytes)
        connections.append(connection)
      }
      for id in 1...count { try await simulator.waitForRequest(id) }
      #expect(simulator.requests.allSatisfy { $0.state == .received })
      let ids = Dictionary(uniqueKeysWithValues: simulator.requests.map { ($0.facts?.prompt ?? "", $0.id) })
      #expect(ids.count == count)
      simulator.releaseAll()
      for (index, connection) in connections.enumerated() {
        let prompt = "prompt \(index + 1)"
        let marker = try PictureMarker(in: await connection.response().pictures[0])
        #expect(marker == PictureMarker(prompt: prompt, request: ids[prompt] ?? 0))
      }
      #expect(simulator.requests.allSatisfy { $0.state == .answered && $0.status == 200 })
    }
  }

  /// The proofs go to the API's own limit, which takes a debug build a while.
  private static let largePicture =
    ProcessInfo.processInfo.environment["ATELIER_PROOFS"] == nil ? 12_000_000 : 78_000_000

  @Test("A body of a hundred megabytes is taken, and its picture found whole")
  func large() async throws {
    let picture = SamplePicture.make(64, 64, byteCount: Self.largePicture).bytes
    var request = RawRequest.generate(prompt: "x")
    let opening = #"{"contents":[{"parts":[{"text":"x"},{"inlineData":{"mimeType":"image/png","data":""#
    request.body = Array(opening.utf8) + Array(Base64.encoded(picture).utf8) + Array(#""}}]}]}"#.utf8)
    #expect(request.body.count > picture.count * 4 / 3)
    try await withSimulator({ $0.keepsBodies = false }) { simulator in
      let response = try await simulator.exchange(request)
      #expect(response.status == 200)
      try #require(!simulator.requests.isEmpty)
      #expect(simulator.requests[0].bytesReceived == request.body.count)
      #expect(simulator.requests[0].facts?.images.first?.bytes == picture.count)
      #expect(
        simulator.requests[0].facts?.images.first?.fingerprint == Checksum.fingerprint(picture))
    }
  }
}
