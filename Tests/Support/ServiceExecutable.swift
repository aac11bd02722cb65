import Glibc

/// Where this build put the service.
public enum ServiceExecutable {
  /// `atelier`, beside the program that runs the tests, where `atelier-imaging` is too.
  public static let path: String = "\(folder)/atelier"

  /// `atelier-imaging`.
  public static let workerPath: String = "\(folder)/atelier-imaging"

  /// `confinement-probe`, which tries to escape.
  public static let probePath: String = "\(folder)/confinement-probe"

  private static let folder: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let program = String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
  }()
}
