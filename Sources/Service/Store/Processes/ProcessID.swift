import Glibc

extension ProcessID {
  /// Whether the id is safe as part of a file name.
  var isFileName: Bool {
    !rawValue.isEmpty && rawValue.utf8.count <= 128
      && rawValue.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// A process that works on generations, for as long as it holds the lock of this name.
public struct ProcessID: RawRepresentable, Sendable, Hashable {
  public var rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// What generations name that any process may start. No process has this name, and there is no such lock.
  public static let nobody = ProcessID(rawValue: "nobody")
}
