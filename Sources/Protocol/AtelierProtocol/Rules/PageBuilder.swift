/// Collects the entries of one page of a list. A page ends at its limit, or before its entries exceed the bytes of a
/// line. It always has at least one entry; otherwise a client could never get past a large one.
public struct PageBuilder<Entry> {
  /// The entries so far.
  public private(set) var entries: [Entry] = []
  private let limit: Int
  private var bytesLeft: Int
  private let size: (Entry) -> Int

  /// - Parameters:
  ///   - limit: the most entries of the page.
  ///   - bytes: the most bytes of its entries together.
  ///   - size: the bytes of one entry in the answer, including its separator.
  public init(limit: Int = .max, bytes: Int, size: @escaping (Entry) -> Int) {
    self.limit = limit
    bytesLeft = bytes
    self.size = size
  }

  /// Adds an entry.
  /// - Returns: false when the page is full: the entry belongs to the next one.
  public mutating func append(_ entry: Entry) -> Bool {
    guard entries.count < limit else { return false }
    let (left, isOverflow) = bytesLeft.subtractingReportingOverflow(size(entry))
    guard !isOverflow, left >= 0 || entries.isEmpty else { return false }
    bytesLeft = left
    entries.append(entry)
    return true
  }
}
