/// Bounds-checked reading of a flatbuffer: little-endian scalars, tables with optional fields, vectors, strings.
///
/// Nothing read from the buffer is trusted: each access either lies inside the bytes or throws.
/// Source of the layout: https://flatbuffers.dev/internals
struct FlatBuffer {
  let bytes: [UInt8]

  /// An object with optional fields, found through its table of field offsets.
  struct Table {
    fileprivate let position: Int
    fileprivate let fieldOffsets: Int
    fileprivate let fieldOffsetsSize: Int
  }

  /// The range of `count` equal elements of `stride` bytes each, all inside the buffer.
  struct Vector {
    let position: Int
    let count: Int
  }

  func root() throws(ModelError) -> Table {
    try table(at: offset(from: 0))
  }

  /// The table in `field`, or nil when the field is absent.
  func table(_ field: Int, of table: Table) throws(ModelError) -> Table? {
    guard let position = try position(of: field, in: table) else { return nil }
    return try self.table(at: offset(from: position))
  }

  func tables(_ field: Int, of table: Table) throws(ModelError) -> [Table] {
    guard let vector = try vector(field, of: table, stride: 4) else { return [] }
    var tables: [Table] = []
    tables.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      tables.append(try self.table(at: offset(from: vector.position + index * 4)))
    }
    return tables
  }

  func int32s(_ field: Int, of table: Table) throws(ModelError) -> [Int] {
    guard let vector = try vector(field, of: table, stride: 4) else { return [] }
    var numbers: [Int] = []
    numbers.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      numbers.append(Int(Int32(bitPattern: try uint32(at: vector.position + index * 4))))
    }
    return numbers
  }

  func uint8s(_ field: Int, of table: Table) throws(ModelError) -> ArraySlice<UInt8> {
    guard let vector = try vector(field, of: table, stride: 1) else { return [] }
    return bytes[vector.position..<vector.position + vector.count]
  }

  func string(_ field: Int, of table: Table) throws(ModelError) -> String {
    String(decoding: try uint8s(field, of: table), as: UTF8.self)
  }

  func int32(_ field: Int, of table: Table, default absent: Int = 0) throws(ModelError) -> Int {
    guard let position = try position(of: field, in: table) else { return absent }
    return Int(Int32(bitPattern: try uint32(at: position)))
  }

  func uint32(_ field: Int, of table: Table) throws(ModelError) -> Int {
    guard let position = try position(of: field, in: table) else { return 0 }
    return Int(try uint32(at: position))
  }

  func float32(_ field: Int, of table: Table, default absent: Float = 0) throws(ModelError) -> Float {
    guard let position = try position(of: field, in: table) else { return absent }
    return Float(bitPattern: try uint32(at: position))
  }

  func uint8(_ field: Int, of table: Table) throws(ModelError) -> Int {
    guard let position = try position(of: field, in: table) else { return 0 }
    return Int(try uint8(at: position))
  }

  // MARK: - Places

  private func table(at position: Int) throws(ModelError) -> Table {
    let distance = Int(Int32(bitPattern: try uint32(at: position)))
    let fieldOffsets = position - distance
    let size = Int(try uint16(at: fieldOffsets))
    guard size >= 4, size.isMultiple(of: 2), fieldOffsets + size <= bytes.count else {
      throw .malformed("a table at byte \(position) has no room for its fields")
    }
    return Table(position: position, fieldOffsets: fieldOffsets, fieldOffsetsSize: size)
  }

  private func position(of field: Int, in table: Table) throws(ModelError) -> Int? {
    let entry = 4 + field * 2
    guard entry + 2 <= table.fieldOffsetsSize else { return nil }
    let distance = Int(try uint16(at: table.fieldOffsets + entry))
    return distance == 0 ? nil : table.position + distance
  }

  private func vector(_ field: Int, of table: Table, stride: Int) throws(ModelError) -> Vector? {
    guard let position = try position(of: field, in: table) else { return nil }
    let start = try offset(from: position)
    let count = Int(try uint32(at: start))
    guard count <= (bytes.count - start - 4) / stride else {
      throw .malformed("a vector at byte \(start) is longer than the model")
    }
    return Vector(position: start + 4, count: count)
  }

  private func offset(from position: Int) throws(ModelError) -> Int {
    position + Int(try uint32(at: position))
  }

  private func uint8(at position: Int) throws(ModelError) -> UInt8 {
    guard position >= 0, position < bytes.count else { throw .malformed("byte \(position) lies outside") }
    return bytes[position]
  }

  private func uint16(at position: Int) throws(ModelError) -> UInt16 {
    guard position >= 0, position <= bytes.count - 2 else { throw .malformed("byte \(position) lies outside") }
    return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
  }

  private func uint32(at position: Int) throws(ModelError) -> UInt32 {
    guard position >= 0, position <= bytes.count - 4 else { throw .malformed("byte \(position) lies outside") }
    return UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8
      | UInt32(bytes[position + 2]) << 16 | UInt32(bytes[position + 3]) << 24
  }
}
