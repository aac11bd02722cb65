/// The files of a fixture in which `bytes` stand, anywhere: the database, its log, pictures and what is left of them.
func traces(of bytes: [UInt8], in fixture: StoreFixture) throws -> [String] {
  guard let first = bytes.first else { return [] }
  return try fixture.temporary.files().filter { file in
    let content = try contents(of: "\(fixture.temporary.path)/\(file)")
    var position = content.startIndex
    while let start = content[position...].firstIndex(of: first) {
      if content[start...].starts(with: bytes) { return true }
      position = start + 1
    }
    return false
  }
}
