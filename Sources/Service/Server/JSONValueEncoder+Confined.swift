import Engine
import JSON
import Localization

extension JSONValueEncoder {
  /// Encodes an answer or a notification for one connection, with sentences in its language. A confined one is told only the
  /// paths in the folders that the operator has opened.
  init(in language: Language, confined isConfined: Bool, to access: HostAccess) {
    self.init(sentences: .text(language), disclosing: isConfined ? access.shows : nil)
  }
}
