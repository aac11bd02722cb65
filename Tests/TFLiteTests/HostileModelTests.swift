import Support
import Testing

@testable import TFLite

@Suite("Models that lie")
struct HostileModelTests {
  @Test("A truncated model is refused, wherever it ends")
  func truncated() throws {
    let small = Self.smallModel()
    #expect(throws: Never.self) { try Interpreter(model: small) }
    for count in 0..<small.count { expectHarmless(Array(small[..<count]), "first \(count) bytes") }
    let real = try Fixtures.model("face_detection_short_range")
    var random = SplitMix64(seed: 11)
    for _ in 0..<40 {
      let count = Int.random(in: 0..<real.count - 1, using: &random)
      #expect(throws: ModelError.self, "first \(count) bytes") { try Interpreter(model: Array(real[..<count])) }
    }
  }

  @Test("A small model with changed bytes never traps", arguments: 0..<12 as Range<UInt64>)
  func mutatedSmall(seed: UInt64) {
    let model = Self.smallModel()
    var random = SplitMix64(seed: seed)
    for round in 0..<1500 {
      expectHarmless(Self.mutated(model, &random), "seed \(seed), round \(round)")
    }
  }

  @Test("A real model with changed bytes never traps", arguments: 0..<4 as Range<UInt64>)
  func mutatedReal(seed: UInt64) throws {
    // The structure lies at both ends of the file, the weights between.
    let model = try Fixtures.model("selfie_segmentation")
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      var changed = model
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let near = Int.random(in: 0..<40_000, using: &random)
        let index = Bool.random(using: &random) ? near % model.count : model.count - 1 - near
        changed[index] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? Interpreter(model: changed)
    }
  }

  @Test("Nonsense is refused with a sentence")
  func nonsense() {
    for bytes: [UInt8] in [[], [1, 2, 3], Array("GIF89a..........".utf8), [0, 0, 0, 0] + Array("TFL3".utf8)] {
      #expect(throws: ModelError.self) { try Interpreter(model: bytes) }
    }
    #expect(ModelError.malformed("it ends early").message == "The model is malformed: it ends early.")
  }

  @Test("An unknown operator is named")
  func unknownOperator() {
    var writer = ModelWriter()
    let source = writer.tensor([1, 1, 1, 1])
    let target = writer.tensor([1, 1, 1, 1])
    writer.apply(32, custom: "Telepathy", [source], to: [target])
    writer.inputs = [source]
    writer.outputs = [target]
    #expect(throws: ModelError.unknownOperator("32 Telepathy")) { try Interpreter(model: writer.bytes()) }
  }

  @Test("A result of another shape than declared is refused")
  func wrongShape() {
    var writer = ModelWriter()
    let source = writer.tensor([1, 4, 4, 2])
    let target = writer.tensor([1, 4, 4, 3])
    writer.apply(0, [source, source], to: [target])
    writer.inputs = [source]
    writer.outputs = [target]
    #expect(throws: ModelError.self) { try Interpreter(model: writer.bytes()) }
  }

  @Test("A tensor read before it is computed is refused")
  func wrongOrder() {
    var writer = ModelWriter()
    let source = writer.tensor([1, 1, 1, 2])
    let middle = writer.tensor([1, 1, 1, 2])
    let target = writer.tensor([1, 1, 1, 2])
    writer.apply(0, [source, middle], to: [target])
    writer.apply(0, [source, source], to: [middle])
    writer.inputs = [source]
    writer.outputs = [target]
    #expect(throws: ModelError.self) { try Interpreter(model: writer.bytes()) }
  }

  @Test("A model that would take the machine's memory is refused")
  func enormous() {
    var writer = ModelWriter()
    let source = writer.tensor([1, 4096, 4096, 2])
    let size = writer.integers([2], [8192, 8192])
    let target = writer.tensor([1, 8192, 8192, 2])
    writer.apply(23, [source, size], to: [target], options: [2: .uint8(0)])
    writer.inputs = [source]
    writer.outputs = [target]
    #expect(throws: ModelError.self) { try Interpreter(model: writer.bytes()) }
  }

  /// Either refused, or a model that can be run without harm.
  private func expectHarmless(_ bytes: [UInt8], _ what: String) {
    guard let interpreter = try? Interpreter(model: bytes) else { return }
    let count = interpreter.inputShape.reduce(1, *)
    guard count < 1 << 20 else { return }
    let outputs = try? interpreter.run([Float](repeating: 0.5, count: count))
    #expect(outputs?.map(\.count) == interpreter.outputShapes.map { $0.reduce(1, *) }, "\(what)")
  }

  private static func mutated(_ model: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = model
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[index] = [0, 1, 127, 128, 255].randomElement(using: &random) ?? 0
      default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
      }
    }
    return bytes
  }

  /// Operators that converted networks have, once each, on 16 × 16 numbers.
  /// - Returns: the last result.
  private static func appendConverted(to writer: inout ModelWriter, _ source: Int, _ axes: Int) -> Int {
    let third = writer.constant([1], [0.3])
    var last = source
    for code in [41, 42, 55, 57, 99, 20, 28, 98, 101, 75, 76, 47, 59] {
      let next = writer.tensor([1, 16, 16, 1])
      let options: [Int: ModelWriter.Field]? = code == 98 ? [0: .float32(0.1)] : nil
      writer.apply(code, [41, 42, 55, 57, 99].contains(code) ? [last, third] : [last], to: [next], options: options)
      last = next
    }
    let summed = writer.tensor([1, 1])
    writer.apply(74, [last, axes], to: [summed], options: [0: .uint8(0)])
    let part = writer.tensor([1, 8, 16, 1])
    let (first, counts) = (writer.integers([4], [0, 4, 0, 0]), writer.integers([4], [1, 8, -1, 1]))
    writer.apply(65, [last, first, counts], to: [part])
    let thinned = writer.tensor([8, 8, 1])
    let (end, stride) = (writer.integers([4], [1, 8, 16, 1]), writer.integers([4], [1, 1, 2, 1]))
    let begin = writer.integers([4], [0, 0, 0, 0])
    writer.apply(45, [part, begin, end, stride], to: [thinned], options: [4: .int32(1)])
    let turned = writer.tensor([8, 1, 8])
    writer.apply(39, [thinned, writer.integers([3], [1, 2, 0])], to: [turned])
    let certain = writer.tensor([8, 1, 8])
    writer.apply(25, [turned], to: [certain], options: [0: .float32(1)])
    let connected = writer.tensor([8, 2])
    let weights = writer.constant([2, 8], (0..<16).map { Float($0) / 16 })
    writer.apply(9, [certain, weights, -1], to: [connected], options: [0: .uint8(0)])
    let image = writer.tensor([1, 4, 2, 2])
    writer.apply(22, [connected], to: [image])
    let doubled = writer.tensor([1, 8, 4, 2])
    writer.apply(97, [image, writer.integers([2], [8, 4])], to: [doubled], options: [1: .uint8(1)])
    let framed = writer.tensor([1, 10, 6, 2])
    writer.apply(60, [doubled, writer.integers([4, 2], [0, 0, 1, 1, 1, 1, 0, 0]), third], to: [framed])
    let spread = writer.tensor([1, 20, 12, 1])
    let window = writer.constant([1, 2, 2, 2], (0..<8).map { Float($0) / 8 })
    writer.apply(
      67, [writer.integers([4], [1, 20, 12, 1]), window, framed], to: [spread],
      options: [0: .uint8(0), 1: .int32(2), 2: .int32(2)])
    let sum = writer.tensor([1, 20, 12, 1])
    writer.apply(0, [spread, summed], to: [sum])
    return sum
  }

  /// Every kind of operator once.
  private static func smallModel() -> [UInt8] {
    var writer = ModelWriter()
    let source = writer.tensor([1, 6, 6, 2])
    let half = writer.halfPrecisionConstant([3, 3, 3, 2], (0..<54).map { Float($0) / 54 })
    let weights = writer.tensor([3, 3, 3, 2])
    writer.apply(6, [half], to: [weights])
    let bias = writer.constant([3], [0.1, 0.2, 0.3])
    let convolved = writer.tensor([1, 6, 6, 3])
    let unit: [Int: ModelWriter.Field] = [0: .uint8(0), 1: .int32(1), 2: .int32(1)]
    writer.apply(3, [source, weights, bias], to: [convolved], options: unit)
    let swished = writer.tensor([1, 6, 6, 3])
    writer.apply(117, [convolved], to: [swished])
    let depthWeights = writer.constant([1, 3, 3, 3], (0..<27).map { Float($0) / 27 })
    let depth = writer.tensor([1, 6, 6, 3])
    writer.apply(4, [swished, depthWeights, bias], to: [depth], options: unit)
    let slopes = writer.constant([3], [0.1, 0.2, 0.3])
    let bent = writer.tensor([1, 6, 6, 3])
    writer.apply(54, [depth, slopes], to: [bent])
    let pooled = writer.tensor([1, 3, 3, 3])
    let two: [Int: ModelWriter.Field] = [
      0: .uint8(1), 1: .int32(2), 2: .int32(2), 3: .int32(2), 4: .int32(2),
    ]
    writer.apply(17, [bent], to: [pooled], options: two)
    let size = writer.integers([2], [6, 6])
    let large = writer.tensor([1, 6, 6, 3])
    writer.apply(23, [pooled, size], to: [large], options: [3: .uint8(1)])
    let product = writer.tensor([1, 6, 6, 3])
    writer.apply(18, [large, slopes], to: [product])
    let paddings = writer.integers([4, 2], [0, 0, 1, 1, 1, 1, 0, 0])
    let padded = writer.tensor([1, 8, 8, 3])
    writer.apply(34, [product, paddings], to: [padded])
    let joined = writer.tensor([1, 8, 8, 6])
    writer.apply(2, [padded, padded], to: [joined], options: [0: .int32(3)])
    let spreadWeights = writer.constant([1, 2, 2, 6], (0..<24).map { Float($0) / 24 })
    let spreadBias = writer.constant([1], [0.5])
    let spread = writer.tensor([1, 16, 16, 1])
    writer.apply(
      32, custom: "Convolution2DTransposeBias", [joined, spreadWeights, spreadBias], to: [spread],
      customOptions: [1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0])
    let certain = writer.tensor([1, 16, 16, 1])
    writer.apply(14, [spread], to: [certain])
    let axes = writer.integers([2], [1, 2])
    let mean = writer.tensor([1, 1, 1, 1])
    writer.apply(40, [certain, axes], to: [mean], options: [0: .uint8(1)])
    let flat = writer.tensor([1])
    writer.apply(22, [mean], to: [flat])
    writer.inputs = [source]
    writer.outputs = [flat, certain, appendConverted(to: &writer, certain, axes)]
    return writer.bytes()
  }
}
