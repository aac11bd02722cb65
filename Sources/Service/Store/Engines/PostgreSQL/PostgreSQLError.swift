import AtelierProtocol
import JSON

/// What an error of PostgreSQL means.
enum PostgreSQLError {
  /// Nil for an error of something else.
  static func fault(_ error: any Error, server: PostgreSQLServer) -> EngineFault? {
    let fault: PostgreSQLFault
    switch error {
    case let error as PostgreSQLFault: fault = error
    case SQLFault.damaged(let detail): fault = PostgreSQLFault(state: "XX001", message: detail)
    default: return nil
    }
    let reason = reason(fault, server: server)
    var wireError = fault.isDamage ? .storeDamaged : reason?.atelierError ?? AtelierError(.internal)
    if let state = fault.state { wireError.details["postgresql"] = .string(state) }
    return EngineFault(reason: reason, wireError: wireError, isDamage: fault.isDamage, message: fault.message)
  }

  private static func reason(_ fault: PostgreSQLFault, server: PostgreSQLServer) -> StoreError? {
    let database = "The database \(server.address.shown)"
    if fault.isDamage {
      return StoreError(.damagedDatabase, "\(database) is damaged (\(fault.message)). Put a backup in its place.")
    }
    switch (fault.remedy, fault.state) {
    case (_, "42501"):
      // Until somebody grants it, a change waits as for a disk that is full.
      return StoreError(
        .failed,
        "\(database) does not let “\(server.address.user)” do what it must (\(fault.message)). Let the role that owns the "
          + "tables grant it: \(PostgreSQLPreparation.command(for: server))")
    case (.none, _): return nil
    case (.again, _), (_, "55P03"):
      return StoreError(.busy, "\(database) is busy with other processes. Try again when they are done.")
    case (_, "53100"): return StoreError(.storageFull, "The disk of \(database) is full. Free some space there.")
    case (_, "25006"):
      return StoreError(.failed, "\(database) only lets itself be read: it is a standby. Connect to the primary server.")
    case (_, "53300"):
      return StoreError(.failed, "\(database) has no connection left. Let it have more (max_connections).")
    case (_, nil) where fault.message.contains("password"):
      return StoreError(
        .failed,
        "\(database) cannot be used (\(fault.message)). The password of “\(server.address.user)” is taken from "
          + "ATELIER_STORE_PASSWORD, from the file that `store.passwordFile` or --password-file names, or from the "
          + "desktop's keyring.")
    default: return StoreError(.failed, "\(database) cannot be used (\(fault.message)).")
    }
  }
}
