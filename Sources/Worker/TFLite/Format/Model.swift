/// A parsed model. Its references are valid; its operators are not checked yet.
struct Model {
  enum ElementType: Equatable {
    case float32
    case float16
    case int32
    case other(Int)
  }

  struct Tensor {
    var shape: Shape
    var type: ElementType
    /// The bytes of a constant; empty for a computed tensor.
    var data: ArraySlice<UInt8>
  }

  struct Operator {
    var code: OperatorCode
    /// Indexes of tensors; −1 stands for an optional input that is absent.
    var inputs: [Int]
    var outputs: [Int]
    var options: FlatBuffer.Table?
    var customOptions: ArraySlice<UInt8>
  }

  let buffer: FlatBuffer
  let tensors: [Tensor]
  let operators: [Operator]
  let inputs: [Int]
  let outputs: [Int]

  /// Reads a model.
  /// - Throws: ``ModelError/malformed(_:)`` for bytes that are no model, ``ModelError/unknownOperator(_:)`` for
  ///   operators unknown here.
  init(parsing bytes: [UInt8]) throws(ModelError) {
    guard bytes.count >= 8, Array(bytes[4..<8]) == Array("TFL3".utf8) else {
      throw .malformed("it does not begin like a TensorFlow Lite file")
    }
    buffer = FlatBuffer(bytes: bytes)
    let root = try buffer.root()
    let codes = try Self.operatorCodes(buffer, root)
    let graphs = try buffer.tables(2, of: root)
    guard graphs.count == 1, let graph = graphs.first else {
      throw .unsupported("a model of \(graphs.count) graphs")
    }
    tensors = try Self.tensors(buffer, root, graph)
    inputs = try buffer.int32s(1, of: graph)
    outputs = try buffer.int32s(2, of: graph)
    operators = try Self.operators(buffer, graph, codes)
    try checkReferences()
  }

  private static func operatorCodes(_ buffer: FlatBuffer, _ root: FlatBuffer.Table) throws(ModelError) -> [OperatorCode]
  {
    var codes: [OperatorCode] = []
    for table in try buffer.tables(1, of: root) {
      // Old files have the code in a byte only, new ones in both; the larger one counts (schema.fbs, OperatorCode).
      let number = max(try buffer.uint8(0, of: table), try buffer.int32(3, of: table))
      codes.append(try OperatorCode(number: number, customName: try buffer.string(1, of: table)))
    }
    return codes
  }

  private static func tensors(
    _ buffer: FlatBuffer, _ root: FlatBuffer.Table, _ graph: FlatBuffer.Table
  ) throws(ModelError) -> [Tensor] {
    let buffers = try buffer.tables(4, of: root)
    var tensors: [Tensor] = []
    for table in try buffer.tables(0, of: graph) {
      let bufferIndex = try buffer.uint32(2, of: table)
      guard bufferIndex < buffers.count else { throw .malformed("a tensor's data is missing") }
      let type: ElementType =
        switch try buffer.uint8(1, of: table) {
        case 0: .float32
        case 1: .float16
        case 2: .int32
        case let other: .other(other)
        }
      tensors.append(
        Tensor(
          shape: try Shape(try buffer.int32s(0, of: table)), type: type,
          data: try buffer.uint8s(0, of: buffers[bufferIndex])))
    }
    return tensors
  }

  private static func operators(
    _ buffer: FlatBuffer, _ graph: FlatBuffer.Table, _ codes: [OperatorCode]
  ) throws(ModelError) -> [Operator] {
    var operators: [Operator] = []
    for table in try buffer.tables(3, of: graph) {
      let codeIndex = try buffer.uint32(0, of: table)
      guard codeIndex < codes.count else { throw .malformed("an operator has no code") }
      operators.append(
        Operator(
          code: codes[codeIndex], inputs: try buffer.int32s(1, of: table), outputs: try buffer.int32s(2, of: table),
          options: try buffer.table(4, of: table), customOptions: try buffer.uint8s(5, of: table)))
    }
    return operators
  }

  private func checkReferences() throws(ModelError) {
    let valid = 0..<tensors.count
    guard !inputs.isEmpty, !outputs.isEmpty, inputs.allSatisfy(valid.contains), outputs.allSatisfy(valid.contains)
    else {
      throw .malformed("its inputs or outputs do not exist")
    }
    for step in operators {
      guard !step.outputs.isEmpty, step.outputs.allSatisfy(valid.contains),
        step.inputs.allSatisfy({ $0 == -1 || valid.contains($0) })
      else { throw .malformed("an operator reads or writes what does not exist") }
    }
  }
}

/// The operators that this interpreter supports. Numbers: schema.fbs, `BuiltinOperator`.
enum OperatorCode: Int {
  case add = 0
  case averagePool = 1
  case concatenation = 2
  case convolution = 3
  case depthwiseConvolution = 4
  case dequantize = 6
  case fullyConnected = 9
  case logistic = 14
  case maximumPool = 17
  case multiply = 18
  case relu = 19
  case reluBetweenOnes = 20
  case relu6 = 21
  case reshape = 22
  case resizeBilinear = 23
  case softmax = 25
  case hyperbolicTangent = 28
  /// MediaPipe's `Convolution2DTransposeBias`, the only custom operator.
  case transposeConvolutionBias = 32
  case pad = 34
  case transpose = 39
  case mean = 40
  case subtract = 41
  case divide = 42
  case squeeze = 43
  case stridedSlice = 45
  case exponential = 47
  case parametricRelu = 54
  case maximum = 55
  case minimum = 57
  case negative = 59
  case padWithNumber = 60
  case slice = 65
  case transposeConvolution = 67
  case expandDimensions = 70
  case sum = 74
  case squareRoot = 75
  case inverseSquareRoot = 76
  case resizeNearest = 97
  case leakyRelu = 98
  case squaredDifference = 99
  case absolute = 101
  case hardSwish = 117

  /// What converted networks often have besides, so that a refusal can name it.
  private static let otherNames = [
    5: "DEPTH_TO_SPACE", 26: "SPACE_TO_DEPTH", 36: "GATHER", 37: "BATCH_TO_SPACE_ND", 38: "SPACE_TO_BATCH_ND",
    49: "SPLIT", 53: "CAST", 56: "ARG_MAX", 64: "SELECT", 69: "TILE", 77: "SHAPE", 78: "POW", 82: "REDUCE_MAX", 83: "PACK",
    88: "UNPACK", 100: "MIRROR_PAD", 102: "SPLIT_V", 107: "GATHER_ND", 114: "QUANTIZE", 126: "BATCH_MATMUL",
    130: "BROADCAST_TO", 150: "GELU",
  ]

  init(number: Int, customName: String) throws(ModelError) {
    guard let code = Self(rawValue: number),
      code != .transposeConvolutionBias || customName == "Convolution2DTransposeBias"
    else {
      let name = number == Self.transposeConvolutionBias.rawValue ? customName : Self.otherNames[number]
      throw .unknownOperator(name.map { "\(number) \($0)" } ?? "\(number)")
    }
    self = code
  }
}
