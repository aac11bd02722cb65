import Foundation
import Support
import Testing

@testable import TFLite

/// The networks, against what TensorFlow Lite's own runtime makes of the same input.
///
/// The numbers in `Fixtures/tflite` were produced once with ai-edge-litert 2.3.0 from the models in
/// `Sources/Base/CEmbedded/models`; input: coarse noise of the seed, each number repeated over 16 × 16 pixels.
@Suite("The networks")
struct NetworkTests {
  struct Golden: Decodable {
    struct Output: Decodable {
      var count: Int
      var step: Int
      var values: [Float]
    }
    var model: String
    var seed: UInt64
    var block: Int
    var outputs: [Output]
  }

  @Test(
    "The networks give the reference runtime's numbers",
    arguments: ["face_detection_short_range", "face_landmark", "pose_segmentation", "selfie_segmentation", "u2netp"])
  func golden(name: String) throws {
    let url = Fixtures.folder.appending(path: "tflite/\(name).json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let interpreter = try Interpreter(model: Fixtures.model(name))
    let outputs = try interpreter.run(picture(golden, side: interpreter.inputShape[1]))
    try #require(outputs.count == golden.outputs.count)
    for (found, expected) in zip(outputs, golden.outputs) {
      #expect(found.count == expected.count)
      for (index, value) in expected.values.enumerated() {
        let difference = abs(found[index * expected.step] - value)
        #expect(difference <= 2e-4 * max(1, abs(value)), "\(name), number \(index * expected.step)")
      }
    }
  }

  @Test("A run does not depend on what was run before")
  func independence() throws {
    let interpreter = try Interpreter(model: Fixtures.model("face_detection_short_range"))
    let count = interpreter.inputShape.reduce(1, *)
    var random = SplitMix64(seed: 3)
    let input = (0..<count).map { _ in random.unit() }
    let first = try interpreter.run(input)
    _ = try interpreter.run([Float](repeating: 1e6, count: count))
    #expect(try interpreter.run(input) == first)
  }

  @Test("An input of the wrong size is refused")
  func wrongSize() throws {
    let interpreter = try Interpreter(model: Fixtures.model("face_detection_short_range"))
    #expect(throws: ModelError.wrongInputSize(expected: 49152, found: 5)) {
      try interpreter.run([1, 2, 3, 4, 5])
    }
  }

  private func picture(_ golden: Golden, side: Int) -> [Float] {
    let blocks = side / golden.block
    var random = SplitMix64(seed: golden.seed)
    let noise = (0..<blocks * blocks * 3).map { _ in random.unit() }
    return (0..<side * side * 3).map { index in
      let (pixel, channel) = (index / 3, index % 3)
      let (x, y) = (pixel % side / golden.block, pixel / side / golden.block)
      return noise[(y * blocks + x) * 3 + channel]
    }
  }
}
