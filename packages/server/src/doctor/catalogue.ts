/** `error`: it does not work, or is not safe. `warning`: it works, and will hurt. `info`: good to know. */
export type Level = "error" | "warning" | "info";

interface Kind {
  level: Level;
  advice: string;
}

const error = (advice: string): Kind => ({ level: "error", advice });
const warning = (advice: string): Kind => ({ level: "warning", advice });
const info = (advice: string): Kind => ({ level: "info", advice });

/** Everything that the doctor can find. Codes are never renamed: scripts look for them. `docs/reference/doctor.md` is made from it. */
export const CATALOGUE = {
  setting_invalid: error("Correct it; the service does not start like this."),

  guard_metadata: error(
    "Take the entry out of MARKETHOOK_ALLOW_TARGETS: any owner could read the machine's cloud credentials.",
  ),
  guard_loopback: error(
    "Take the entry out of MARKETHOOK_ALLOW_TARGETS: any owner could reach what listens on this machine.",
  ),
  guard_wide: error(
    "Narrow the entry to the addresses, and the port, of the receivers that are meant.",
  ),
  guard_opened: warning(
    "Keep it only as long as receivers live there: every owner can make the service call these addresses.",
  ),
  ports_unblocked: warning("Unset MARKETHOOK_BLOCK_PORTS, or add these ports to it."),

  data_dir_open: error("chmod 700 the data folder."),
  data_dir_not_writable: error(
    "Give the folder and all its files to the user that runs the service, make its file system writable, or set MARKETHOOK_DATA_DIR. Run the doctor as that user.",
  ),
  database_replaced: error(
    "If a service runs, get its files before you stop it. If a backup was put there, move the files that end in -wal and -shm away. docs/how-to/back-up-and-restore.md says more.",
  ),
  data_moved: error(
    "Set MARKETHOOK_DATABASE_URL to that database. docs/how-to/move-to-postgresql.md says how to use the folder again.",
  ),
  database_file_open: error("chmod 600 the database's files."),
  key_file_open: error(
    "chmod 600 the key file; if others may have read it, rotate the master key.",
  ),

  master_key_missing: error(
    "Put the key file back, or set MARKETHOOK_MASTER_KEY, from your backup.",
  ),
  master_key_wrong: error(
    "Give the key that encrypted this database; to rotate, put the new one in front and keep the old one.",
  ),
  secrets_unreadable: error(
    "Add the missing master keys behind the first one; until then these webhooks cannot be signed for.",
  ),
  master_key_weak: error("Make a key with `openssl rand -base64 32` and rotate to it."),
  master_key_twice: warning("Unset one of them: MARKETHOOK_MASTER_KEY is the one that counts."),
  master_key_not_shared: warning(
    "Set MARKETHOOK_MASTER_KEY to the content of the key file, on every instance.",
  ),
  master_keys_several: info("Keep the old ones as long as something is encrypted with them."),

  clock_off: error(
    "Let this machine's clock be set by NTP: receivers refuse requests of the wrong time.",
  ),
  clock_was_ahead: error(
    "Let this machine's clock be set by NTP. If it is right, it was ahead when the service ran, and the database's clock stays ahead: set it back as docs/how-to/set-back-the-clock.md says.",
  ),
  clock_behind: warning(
    "Restart the service: its clock runs on from its start, and this machine's was set since, or stood still. Stored times are too early until then, and retries too late.",
  ),
  schema_behind: warning(
    "Start `markethook serve`, or run `markethook migrate`; make a backup before.",
  ),
  schema_newer: error(
    "Run the version that wrote it, or a later one; there is no way back but the backup.",
  ),
  schema_unknown: error(
    "Restore it again if a restore was cut short, or put back what was removed by hand. A database of an unreleased version is not upgraded: start with an empty database.",
  ),
  versions_mixed: warning("Stop all instances and start all of them at one version."),
  settings_differ: warning(
    "Give all instances the same, and stop all of them before a change of MARKETHOOK_LEASE: receivers verify headers of the service's name, and instances with different leases send the same twice.",
  ),
  two_databases: warning(
    "If its data is not needed any more, move the file away; the service does not read it.",
  ),

  database_unreachable: error(
    "Check MARKETHOOK_DATABASE_URL, and that the server runs and can be reached from here.",
  ),
  database_unreadable: error(
    "Keep a copy of the data folder, and restore the last backup as docs/how-to/back-up-and-restore.md says. If a service runs on it, read there what to do before you stop it.",
  ),
  rows_damaged: warning(
    "Such a value is shown as the largest number, or its row is left out. Stop the service, keep a copy of the file, and write a number there.",
  ),
  postgres_too_old: error("Upgrade PostgreSQL to 14 or later."),
  tables_elsewhere: error(
    "Set the search_path of the user of MARKETHOOK_DATABASE_URL to that schema, or give the service a database of its own.",
  ),
  postgres_encoding: error("Make the database again with the encoding UTF8."),
  postgres_fsync_off: error(
    "Set fsync = on: after a crash of its machine the database may be gone.",
  ),
  postgres_full_page_writes_off: error(
    "Set full_page_writes = on: a crash in the middle of a write corrupts pages.",
  ),
  wal_uncompressed: info(
    "Set wal_compression to lz4, or to on: pages that are written into the log whole take less than half.",
  ),
  checkpoints_often: info(
    "Set max_wal_size to 4GB and checkpoint_timeout to 15min: after each checkpoint, pages that change are written into the log whole.",
  ),
  long_transaction: warning(
    "Let it end, or end it with pg_terminate_backend: rows that were deleted since it began stay and are read past. Take long backups from a standby.",
  ),
  index_invalid: warning(
    "If none is being made (pg_stat_progress_create_index), a `reindex` or `create index concurrently` was cut short: drop the index, which costs time and space at each write.",
  ),
  commits_not_durable: info(
    "The service turns synchronous_commit on for its own connections. Restart instances that were running when it was turned off.",
  ),
  standby_missing: error(
    "Bring the standby back, or set synchronous_standby_names; commits wait for it, or are not on two machines.",
  ),
  standby_not_awaited: error(
    "Set synchronous_commit to on: a commit does not wait for the standbys that are expected.",
  ),
  standby_unseen: info("Grant this user pg_monitor, and ask again."),
  database_rights_missing: error(
    "Make the user of MARKETHOOK_DATABASE_URL the owner of the database, or grant it what is named.",
  ),
  database_read_only: error("Point MARKETHOOK_DATABASE_URL at the primary."),
  database_unencrypted: warning("Add sslmode=verify-full to MARKETHOOK_DATABASE_URL."),
  pooler_in_the_way: error(
    "Set MARKETHOOK_DATABASE_DIRECT_URL to the server itself: heartbeats and notifications do not pass a pooler.",
  ),
  direct_url_elsewhere: error(
    "Point MARKETHOOK_DATABASE_DIRECT_URL at the database of MARKETHOOK_DATABASE_URL; the service does not start like this.",
  ),
  database_slow: warning(
    "Look for what loads the server, or the network in between, or move the service nearer: a report waits for several replies, and heartbeats fail at 2 s.",
  ),
  connections_few: warning(
    "Raise max_connections, or the connection limit of the role or the database, or run fewer instances.",
  ),

  engine_too_old: error("Run Node 24.15 or later, which brings SQLite 3.51.3."),
  network_filesystem: error(
    "Move the data folder to a disk of this machine, or use PostgreSQL: locks do not hold there.",
  ),
  disk_nearly_full: error("Make room: when the disk is full no event is accepted."),
  wal_large: warning(
    "Look for a process that keeps the database open, as a backup that never ends.",
  ),

  base_url_missing: error("Set MARKETHOOK_BASE_URL; `serve` does not start without it."),
  base_url_not_https: warning(
    "Set MARKETHOOK_BASE_URL to the https:// address: it stands in every payload.",
  ),
  base_url_private: error(
    "Set MARKETHOOK_BASE_URL to what buyers' browsers open: it stands in every payload.",
  ),
  public_url_missing: warning("Set MARKETHOOK_PUBLIC_URL: links to the owners' pages lead to it."),
  public_url_not_https: error(
    "Serve it by https behind a proxy, and set MARKETHOOK_PUBLIC_URL: sessions and keys travel over it.",
  ),
  listens_openly: warning(
    "Listen on 127.0.0.1, or set MARKETHOOK_TRUST_PROXY to the proxy in front: keys would travel in plain text.",
  ),
  proxy_trusted_widely: error(
    "Name the proxies' own addresses in MARKETHOOK_TRUST_PROXY: anybody in that range can forge a client's address.",
  ),
  proxy_trusted_without_proxy: warning(
    "Unset MARKETHOOK_TRUST_PROXY, or set MARKETHOOK_PUBLIC_URL to the proxy's address.",
  ),
  embed_origin_not_https: warning(
    "Name https:// origins: anybody on the way could put the owners' page into a page of theirs.",
  ),
  portal_entry_not_https: warning(
    "Set MARKETHOOK_PORTAL_ENTRY_URL to an https:// address: anybody on the way could lead owners elsewhere.",
  ),
  notices_url_not_https: warning(
    "Set MARKETHOOK_NOTICES_URL to an https:// address: notices name owners and resources.",
  ),

  retention_short: warning(
    "Raise MARKETHOOK_RETENTION above the sum of MARKETHOOK_RETRY_SCHEDULE, or what failed cannot be looked at.",
  ),
  idempotency_short: warning(
    "Raise MARKETHOOK_IDEMPOTENCY_RETENTION to 72h: a report repeated later would count twice.",
  ),
  log_silent: warning("Set MARKETHOOK_LOG_LEVEL to info: failures leave no trace."),

  file_descriptors_few: warning(
    "Raise the limit (systemd: LimitNOFILE=65536; docker: --ulimit nofile=65536), or lower MARKETHOOK_CLIENT_CONNECTIONS or MARKETHOOK_RECEIVER_CONNECTIONS.",
  ),
  memory_short: warning(
    "Give the process more memory, or lower MARKETHOOK_QUEUE_SIZE, MARKETHOOK_INTAKE_SIZE and MARKETHOOK_SENDER_THREADS.",
  ),
  resolver_silent: error(
    "Check /etc/resolv.conf, and that name servers can be reached from here: no receiver can.",
  ),
  egress_proxy_silent: error(
    "Check MARKETHOOK_EGRESS_PROXY, and that the proxy runs and can be reached from here: no receiver can.",
  ),

  service_not_ready: error("Look at the service's log; it takes no reports now."),
  port_taken: error("Another program has the port: stop it, or set MARKETHOOK_PORT."),
  development_running: error(
    "Run `markethook serve`: development mode lets receivers be on this machine, and has known samples.",
  ),
  development_data: warning(
    "Begin with an empty MARKETHOOK_DATA_DIR: this one holds the samples of development mode.",
  ),
  dry_run: warning(
    "Unset MARKETHOOK_DRY_RUN if this is not a staging copy: receivers get nothing.",
  ),
} as const satisfies Record<string, Kind>;

export type FindingCode = keyof typeof CATALOGUE;

export interface Finding {
  level: Level;
  code: FindingCode;
  /** The finding with the values that matter; never a secret. */
  sentence: string;
  advice: string;
}

export function finding(code: FindingCode, sentence: string): Finding {
  const { level, advice } = CATALOGUE[code];
  return { level, code, sentence, advice };
}
