/// What a service may do with the tables that it does not own: what the statements of the store do with them, and nothing
/// else. Every table may be read.
extension Schema {
  /// The changes of each table, and which columns they change, in words that are the same in every database. What is not
  /// named is not granted: of the ledger, nothing can be changed or removed, and what only the rules of the schema write, as
  /// balances, cannot be written.
  static let privileges: [String: String] = [
    "artifact": "INSERT, DELETE",
    "artifact_sum": "",
    "generation":
      "INSERT, UPDATE (account, cost_usd, credits_charged, dropped, error, failures, finished, fraction, "
      + "is_cached, is_requeueable, is_sent, lost_processes, message, model, phase, places, process, "
      + "prompt_version, provider, request, sequence, started, state, text, timings, usage, warnings), DELETE",
    "idempotency": "INSERT, UPDATE (account, generation_id), DELETE",
    "generation_file": "INSERT",
    "prepared": "INSERT, UPDATE (account, artifact, created, expires), DELETE",
    "generation_turn": "INSERT",
    "generation_cache_key": "INSERT",
    "generation_feedback": "INSERT, UPDATE (created, rating, text)",
    "generation_annotation": "INSERT, UPDATE (is_favorite, metadata)",
    "generation_watch": "INSERT, UPDATE (progress, until)",
    "generation_loss": "INSERT, UPDATE (noted), DELETE",
    "generation_interest": "INSERT, DELETE",
    "template_use": "INSERT",
    "waiting_generation": "INSERT, UPDATE (attempts, provider)",
    "queued_generation": "INSERT, UPDATE (process)",
    "queue_pause": "INSERT, DELETE",
    "provider_outage": "INSERT, UPDATE (ended, failures, next_probe, probe_set, since)",
    "provider_cooldown": "INSERT, UPDATE (details, kind, message, refusals, set_at, trial, until), DELETE",
    // A merge moves the sums of an account.
    "generation_sum": "INSERT, UPDATE (cost, credits, generations), DELETE",
    "generation_count": "",
    "generation_tally": "",
    "search_span": "INSERT, DELETE",
    "search_bits": "INSERT",
    "session": "UPDATE (account)",
    "session_step": "UPDATE (account)",
    "account": "INSERT, UPDATE (ended, hash, id, is_unlimited, merged_into, tier)",
    "account_identity": "INSERT, DELETE",
    "account_consent": "INSERT, DELETE",
    "key_set": "INSERT, UPDATE (document, fetched)",
    "account_change": "INSERT",
    "limit_event": "INSERT, UPDATE (account), DELETE",
    "credit_grant": "INSERT",
    "hold": "INSERT",
    "hold_end": "INSERT",
    "transfer": "INSERT",
    "account_balance": "",
    "grant_balance": "",
    "subscription": "INSERT, UPDATE (ends, hash)",
    "receipt": "INSERT",
    "receipt_refund": "INSERT",
    "grant_refund": "INSERT",
    "shortfall_payment": "INSERT",
    "revocation": "INSERT",
    "revocation_payment": "INSERT",
    "revocation_effect": "INSERT",
    "clock": "INSERT, UPDATE (doubted_from, doubted_until, trusted)",
    "clock_jump": "INSERT",
    "location_answer": "INSERT, UPDATE (answer, created, expires), DELETE",
    "geocoder_reservation": "INSERT, UPDATE (next)",
    "file_note": "INSERT, DELETE",
    "file_removal": "INSERT, UPDATE (process), DELETE",
  ]

  /// One kind of change of a table.
  struct Privilege: Sendable, Equatable {
    /// `INSERT`, `UPDATE` or `DELETE`.
    var kind: String
    /// Those that may be updated.
    var columns: [String]

    /// As in ``privileges``.
    var text: String { columns.isEmpty ? kind : "\(kind) (\(columns.joined(separator: ", ")))" }

    /// - Parameter text: as in ``privileges``.
    static func list(_ text: String) -> [Privilege] {
      text.matches(of: /(INSERT|UPDATE|DELETE)(?: \(([\w, ]+)\))?/).map { match in
        Privilege(
          kind: String(match.output.1),
          columns: match.output.2.map { $0.split(separator: ", ").map(String.init) } ?? [])
      }
    }
  }
}
