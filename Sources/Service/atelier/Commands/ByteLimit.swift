import ArgumentParser

/// A number of bytes as a person writes it: `240000`, `240kB`, `2MB`.
struct ByteLimit: ExpressibleByArgument, Equatable, Sendable {
  let bytes: Int

  init?(argument: String) {
    let digits = argument.prefix { ("0"..."9").contains($0) }
    let units = ["": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000]
    let unit = argument.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard digits.count <= 9, let number = Int(digits), let factor = units[unit] else { return nil }
    bytes = number * factor
  }
}
