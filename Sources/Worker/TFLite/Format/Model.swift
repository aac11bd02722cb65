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
  /// - Throws: ``ModelError/malformed(_:)`` for bytes that are no model, ``ModelError/unsupported(_:)`` for
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
enum OperatorCode: Equatable {
  case add
  case averagePool
  case concatenation
  case convolution
  case depthwiseConvolution
  case dequantize
  case hardSwish
  case logistic
  case maximumPool
  case mean
  case multiply
  case pad
  case parametricRelu
  case relu
  case relu6
  case reshape
  case resizeBilinear
  /// MediaPipe's `Convolution2DTransposeBias`.
  case transposeConvolutionBias

  init(number: Int, customName: String) throws(ModelError) {
    switch number {
    case 0: self = .add
    case 1: self = .averagePool
    case 2: self = .concatenation
    case 3: self = .convolution
    case 4: self = .depthwiseConvolution
    case 6: self = .dequantize
    case 14: self = .logistic
    case 17: self = .maximumPool
    case 18: self = .multiply
    case 19: self = .relu
    case 21: self = .relu6
    case 22: self = .reshape
    case 23: self = .resizeBilinear
    case 32 where customName == "Convolution2DTransposeBias": self = .transposeConvolutionBias
    case 34: self = .pad
    case 40: self = .mean
    case 54: self = .parametricRelu
    case 117: self = .hardSwish
    default: throw .unsupported("operator \(number) \(customName)")
    }
  }
}
