/// Damages bytes at random: a bit, a byte, a piece left out, doubled, moved or overwritten.
public struct Mutation {
  private var random: SplitMix64

  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  public mutating func number(below bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }

  /// `bytes` with one to four damages.
  public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...number(below: 4) { damage(&bytes) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(number(below: 256))) }
    let position = number(below: bytes.count)
    let piece = position..<min(bytes.count, position + 1 + number(below: 40))
    switch number(below: 7) {
    case 0: bytes[position] ^= 1 << UInt8(number(below: 8))
    case 1: bytes[position] = UInt8(number(below: 256))
    case 2: bytes.insert(UInt8(number(below: 256)), at: position)
    case 3: bytes.removeSubrange(piece)
    case 4: bytes.insert(contentsOf: bytes[piece], at: number(below: bytes.count))
    case 5: bytes.removeSubrange(position...)
    default: bytes.replaceSubrange(piece, with: bytes.prefix(number(below: 40)))
    }
  }
}
