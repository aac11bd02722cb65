/// Writes small `.tflite` files, so that the tests go the whole way from bytes to numbers.
public struct ModelWriter {
  /// Field numbers and types: schema.fbs of TensorFlow Lite.
  public indirect enum Node {
    case table([Int: Field])
    case tables([Node])
    case int32s([Int])
    case bytes([UInt8])
  }

  public enum Field {
    case uint8(Int)
    case int32(Int)
    case float32(Float)
    case reference(Node)
  }

  public init() {}

  private var tensors: [Node] = []
  private var buffers: [Node] = [.table([:])]
  private var codes: [Node] = []
  private var operators: [Node] = []
  public var tensorCount: Int { tensors.count }
  public var inputs: [Int] = []
  public var outputs: [Int] = []

  /// A tensor that is computed or given.
  public mutating func tensor(_ shape: [Int]) -> Int { add(shape, type: 0, buffer: 0) }

  public mutating func constant(_ shape: [Int], _ values: [Float]) -> Int {
    let bytes = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) } }
    return add(shape, type: 0, buffer: buffer(bytes))
  }

  public mutating func halfPrecisionConstant(_ shape: [Int], _ values: [Float]) -> Int {
    let bytes = values.flatMap { value -> [UInt8] in
      let bits = Float16(value).bitPattern
      return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }
    return add(shape, type: 1, buffer: buffer(bytes))
  }

  public mutating func integers(_ shape: [Int], _ values: [Int]) -> Int {
    let bytes = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: UInt32(bitPattern: Int32(value)) >> ($0 * 8)) }
    }
    return add(shape, type: 2, buffer: buffer(bytes))
  }

  public mutating func apply(
    _ code: Int, custom: String? = nil, _ inputs: [Int], to outputs: [Int], options: [Int: Field]? = nil,
    customOptions: [UInt8]? = nil
  ) {
    var codeFields: [Int: Field] = [0: .uint8(min(code, 127)), 3: .int32(code)]
    if let custom { codeFields[1] = .reference(.bytes(Array(custom.utf8))) }
    codes.append(.table(codeFields))
    var fields: [Int: Field] = [
      0: .int32(codes.count - 1), 1: .reference(.int32s(inputs)), 2: .reference(.int32s(outputs)),
    ]
    if let options { fields[4] = .reference(.table(options)) }
    if let customOptions { fields[5] = .reference(.bytes(customOptions)) }
    operators.append(.table(fields))
  }

  public func bytes() -> [UInt8] {
    let graph: [Int: Field] = [
      0: .reference(.tables(tensors)), 1: .reference(.int32s(inputs)), 2: .reference(.int32s(outputs)),
      3: .reference(.tables(operators)),
    ]
    let root: [Int: Field] = [
      0: .int32(3), 1: .reference(.tables(codes)), 2: .reference(.tables([.table(graph)])),
      4: .reference(.tables(buffers)),
    ]
    var output = Output()
    output.bytes = [0, 0, 0, 0] + Array("TFL3".utf8)
    let position = output.write(.table(root))
    output.patch(0, position)
    return output.bytes
  }

  private mutating func add(_ shape: [Int], type: Int, buffer: Int) -> Int {
    tensors.append(.table([0: .reference(.int32s(shape)), 1: .uint8(type), 2: .int32(buffer)]))
    return tensors.count - 1
  }

  private mutating func buffer(_ bytes: [UInt8]) -> Int {
    buffers.append(.table([0: .reference(.bytes(bytes))]))
    return buffers.count - 1
  }

  /// Writes parents before children, as offsets only point forward.
  private struct Output {
    var bytes: [UInt8] = []

    mutating func write(_ node: Node) -> Int {
      while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
      switch node {
      case .table(let fields): return table(fields)
      case .tables(let nodes):
        let position = bytes.count
        append(nodes.count)
        let first = bytes.count
        for _ in nodes { append(0) }
        for (index, child) in nodes.enumerated() {
          let written = write(child)
          patch(first + index * 4, written)
        }
        return position
      case .int32s(let numbers):
        let position = bytes.count
        append(numbers.count)
        for number in numbers { append(number) }
        return position
      case .bytes(let content):
        let position = bytes.count
        append(content.count)
        bytes += content
        return position
      }
    }

    private mutating func table(_ fields: [Int: Field]) -> Int {
      let count = (fields.keys.max() ?? -1) + 1
      let start = bytes.count
      let size = 4 + count * 2
      append16(size)
      append16(4 + count * 4)
      for index in 0..<count { append16(fields[index] == nil ? 0 : 4 + index * 4) }
      while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
      let position = bytes.count
      append(position - start)
      for index in 0..<count {
        switch fields[index] {
        case .uint8(let number)?: append(number & 255)
        case .int32(let number)?: append(number)
        case .float32(let number)?: append(Int(number.bitPattern))
        case .reference?, nil: append(0)
        }
      }
      for index in 0..<count {
        guard case .reference(let child)? = fields[index] else { continue }
        let written = write(child)
        patch(position + 4 + index * 4, written)
      }
      return position
    }

    /// Lets the offset at `place` point to `target`.
    mutating func patch(_ place: Int, _ target: Int) {
      let distance = target - place
      for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: distance >> (index * 8)) }
    }

    private mutating func append(_ number: Int) {
      for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
    }

    private mutating func append16(_ number: Int) {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
  }
}
