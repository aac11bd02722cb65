import AtelierProtocol
import JSONRPC

extension SessionManager {
  /// What the template that a request names brings with it; nil when it names none.
  /// - Throws: `template_not_found`.
  func template(for request: Generate) async throws(AtelierError) -> TemplateUse? {
    guard let id = request.template else { return nil }
    throw AtelierError(
      .templateNotFound, "There is no template “\(id)”: choose one that templates/list gives.",
      details: ["template": .string(id)])
  }
}
