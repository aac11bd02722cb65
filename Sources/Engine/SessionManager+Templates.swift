import AtelierProtocol
import JSONRPC
import Templates

extension SessionManager {
  /// What the template that a request names brings with it; nil when it names none.
  /// - Throws: `template_not_found` for one that is unknown or retired.
  func template(for request: Generate) async throws(AtelierError) -> TemplateUse? {
    guard let id = request.template else { return nil }
    guard let template = await templates.contents().library[id] else { throw AtelierError(templateNotFound: id) }
    // With the photo no more than three pictures (REQUIREMENTS 1.3); the user's own come first.
    let hasRoom = (request.references?.count ?? 0) < ReferenceImages.maximum
    return TemplateUse(words: template.prompt, reference: hasRoom ? template.reference : nil)
  }
}

extension AtelierError {
  init(templateNotFound id: String) {
    self.init(
      .templateNotFound, "There is no template “\(id)”: choose one that templates/list gives.",
      details: ["template": .string(id)])
  }

  /// - Parameter error: what is wrong with the file, told without its path.
  init(templatePictureUnusable id: String, because error: AtelierError) {
    self.init(
      .invalidImage, "The picture of the template “\(id)” cannot be used: choose another one, or have the operator mend it.",
      details: ["template": .string(id), "reason": .string(error.kind.rawValue)])
  }
}
