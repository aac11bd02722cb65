import AtelierProtocol
import Engine

/// `account/signIn`: says who the person behind an account is.
enum AccountSignInMethod: Method {
  static func answer(
    _ message: AccountSignIn, for caller: Caller, by engine: Engine
  ) async throws -> AccountSignIn.Result {
    try await engine.signIn(message, for: caller)
  }
}
