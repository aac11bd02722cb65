import Engine
import JSON

extension JSONValueEncoder {
  /// Encodes an answer or a notification for one connection. A confined one is told only the paths in the folders that the
  /// operator has opened.
  init(confined isConfined: Bool, to access: HostAccess) {
    self.init(disclosing: isConfined ? access.shows : nil)
  }
}
