import Support
import Testing

@testable import JSONRPC

@Suite("Frames on their way out")
struct OutgoingFramesTests {
  @Test(
    "outgoing frames keep their order, and only the newest of a key, at the place of the first",
    arguments: 0..<200 as Range<UInt64>)
  func randomRun(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var frames = OutgoingFrames()
    var model: [(key: String?, text: String)] = []
    var written = ""
    var expected = ""
    for step in 0..<300 {
      if Int.random(in: 0..<12, using: &random) == 0 {
        let batch = String(decoding: frames.takeBatch(), as: UTF8.self)
        // A batch ends where it likes, but only between frames.
        var taken = ""
        while taken.utf8.count < batch.utf8.count, !model.isEmpty { taken += model.removeFirst().text + "\n" }
        #expect(batch == taken, "seed \(seed), step \(step)")
        expected += taken
        written += batch
      } else {
        let key = ["a", "b", nil, nil].randomElement(using: &random) ?? nil
        let length = Int.random(in: 0..<50, using: &random) == 0 ? 70_000 : 5
        let text = "\(step)" + String(repeating: "x", count: length)
        if let key {
          frames.append(Array(text.utf8), framing: .lines, coalescing: key)
        } else {
          frames.append(Array(text.utf8), framing: .lines)
        }
        if let key, let place = model.firstIndex(where: { $0.key == key }) {
          model[place].text = text
        } else {
          model.append((key, text))
        }
      }
      #expect(frames.count == model.reduce(0) { $0 + $1.text.utf8.count + 1 }, "seed \(seed), step \(step)")
    }
    while case let batch = frames.takeBatch(), !batch.isEmpty { written += String(decoding: batch, as: UTF8.self) }
    expected += model.map { $0.text + "\n" }.joined()
    #expect(written == expected, "seed \(seed)")
    #expect(frames.isEmpty)
  }

  @Test("outgoing frames are framed as the peer speaks")
  func framing() {
    var frames = OutgoingFrames()
    frames.append(Array("{}".utf8), framing: .lines)
    frames.append(Array("[1]".utf8), framing: .headers)
    frames.append(Array("[22]".utf8), framing: .headers, coalescing: "k")
    #expect(
      String(decoding: frames.takeBatch(), as: UTF8.self)
        == "{}\nContent-Length: 3\r\n\r\n[1]Content-Length: 4\r\n\r\n[22]")
  }
}
