/// The values of a statement as libpq takes them: texts that end with a zero byte, except for bytes.
struct PostgreSQLArguments {
  /// All values, each with a zero byte after it.
  private var bytes: [CChar] = []
  /// Where each begins; nil for null.
  private var starts: [Int?] = []
  private var lengths: [Int32] = []
  /// 1 for bytes, which are sent as they are.
  private var formats: [Int32] = []

  var count: Int { starts.count }

  /// - Returns: also false when a text contains a zero character, at which it would end.
  static func encode(_ values: [SQLValue]) -> (PostgreSQLArguments, isWhole: Bool) {
    var arguments = PostgreSQLArguments()
    var isWhole = true
    for value in values {
      switch value {
      case .null: arguments.append(nil, isBinary: false)
      case .integer(let number): arguments.append(Array(String(number).utf8), isBinary: false)
      case .real(let number): arguments.append(Array(number.description.utf8), isBinary: false)
      case .text(let text):
        let bytes = Array(text.utf8)
        isWhole = isWhole && !bytes.contains(0)
        arguments.append(bytes, isBinary: false)
      case .bytes(let bytes): arguments.append(bytes, isBinary: true)
      }
    }
    return (arguments, isWhole)
  }

  private mutating func append(_ value: [UInt8]?, isBinary: Bool) {
    starts.append(value == nil ? nil : bytes.count)
    lengths.append(Int32(clamping: value?.count ?? 0))
    formats.append(isBinary ? 1 : 0)
    guard let value else { return }
    bytes.append(contentsOf: value.lazy.map { CChar(bitPattern: $0) })
    bytes.append(0)
  }

  /// The pointers are valid during the call only.
  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      let pointers = starts.map { start in start.flatMap { start in bytes.baseAddress.map { $0 + start } } }
      return pointers.withUnsafeBufferPointer { pointers in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress) }
        }
      }
    }
  }
}

/// Texts for C: a list that ends with a null pointer.
enum CStrings {
  /// The pointers are valid during the call only.
  static func withPointers<Result>(
    to texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    let arguments = PostgreSQLArguments.encode(texts.map { .text($0) } + [.null]).0
    return arguments.withPointers { pointers, _, _ in body(pointers) }
  }
}
