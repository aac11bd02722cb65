/// The files of a house in which `bytes` stand, anywhere: the database, its log, pictures and what is left of them.
func traces(of bytes: [UInt8], in house: StoreFixture) throws -> [String] {
  guard let first = bytes.first else { return [] }
  return try house.temporary.files().filter { file in
    let content = try contents(of: "\(house.temporary.path)/\(file)")
    var position = content.startIndex
    while let start = content[position...].firstIndex(of: first) {
      if content[start...].starts(with: bytes) { return true }
      position = start + 1
    }
    return false
  }
}
