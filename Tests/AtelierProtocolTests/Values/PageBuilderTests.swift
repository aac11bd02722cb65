import AtelierProtocol
import Testing

@Suite("A page of a list")
struct PageBuilderTests {
  @Test(
    "a page of a list ends at its limit, or before it has too many bytes, but never without an entry",
    arguments: [
      (limit: 3, bytes: 100, sizes: [1, 1, 1, 1], expected: 3), (limit: 9, bytes: 10, sizes: [4, 6, 1], expected: 2),
      (limit: 9, bytes: 10, sizes: [4, 7, 1], expected: 1), (limit: 9, bytes: 10, sizes: [11, 1], expected: 1),
      (limit: 9, bytes: -5, sizes: [1, 1], expected: 1), (limit: 9, bytes: 10, sizes: [], expected: 0),
      (limit: 9, bytes: 10, sizes: [0, 10, 0, 0], expected: 4),
    ])
  func fits(limit: Int, bytes: Int, sizes: [Int], expected: Int) {
    var page = PageBuilder<Int>(limit: limit, bytes: bytes) { $0 }
    for size in sizes where !page.append(size) { break }
    #expect(page.entries == Array(sizes.prefix(expected)))
  }
}
