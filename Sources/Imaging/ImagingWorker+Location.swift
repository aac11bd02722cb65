import AtelierProtocol
import Glibc

extension ImagingWorker {
  /// The worker's executable: beside the running one, or in `../libexec/atelier` of its folder.
  /// - Throws: `internal` when it is in neither place.
  public static func locate() throws(ImagingError) -> String {
    if let folder = executableFolder {
      for candidate in ["\(folder)/atelier-imaging", "\(folder)/../libexec/atelier/atelier-imaging"]
      where access(candidate, X_OK) == 0 {
        return candidate
      }
    }
    throw ImagingError(
      .internal, "A part of Atelier is missing: atelier-imaging. Please reinstall Atelier, or run `atelier doctor`.")
  }

  /// The folder of the running executable, links followed.
  private static var executableFolder: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    let path = buffer[..<length].map(UInt8.init(bitPattern:))
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: path[..<slash], as: UTF8.self)
  }
}
