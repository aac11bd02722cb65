import Foundation

/// Base64 by another hand than the simulator's.
enum Decoded {
  static func base64(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
}
