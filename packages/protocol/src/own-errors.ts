import { entry, type ErrorEntry } from "./error-entry.ts";
import { RECEIVER_ERRORS } from "./receiver-errors.ts";

/** Faults of the service itself: while it runs, in a receiver with the library, and when it starts. */
export const OWN_ERRORS = {
  // Ourselves
  overloaded: entry(
    503,
    "Too many requests are waiting to be stored.",
    "Repeat after the seconds in Retry-After, with the same idempotency key.",
  ),
  outcome_unknown: entry(
    503,
    "The request could not be confirmed in time; it may or may not have been stored.",
    "Repeat after the seconds in Retry-After, with the same idempotency key.",
  ),
  store_unavailable: entry(
    503,
    "The database does not answer.",
    "Repeat after the seconds in Retry-After, with the same idempotency key.",
  ),
  storage_full: entry(
    503,
    "The disk of the database is full.",
    "An operator must free space; repeat after the seconds in Retry-After.",
  ),
  too_many_streams: entry(
    503,
    "This instance has as many live streams open as it takes.",
    "Close one, or list instead; repeat after the seconds in Retry-After.",
  ),
  shutting_down: entry(
    503,
    "This instance is stopping.",
    "Repeat after the seconds in Retry-After.",
  ),
  not_ready: entry(
    503,
    "This instance should not get requests now.",
    "Send them to another instance; see the checks named in the error.",
  ),
  internal: entry(500, "Something went wrong on our side.", "Report it with the request id."),

  ...RECEIVER_ERRORS,

  // Starting up
  config_invalid: entry(
    undefined,
    "A setting is invalid.",
    "Fix the settings that are named; `markethook serve --help` describes all of them.",
  ),
  address_in_use: entry(
    undefined,
    "The address to listen on is taken.",
    "Stop the other process, or set another port: MARKETHOOK_PORT, and for `npm start` MARKETHOOK_SAMPLE_PORT and MARKETHOOK_SAMPLE_MARKETPLACE_PORT too. 0 takes a free one.",
  ),
  address_unusable: entry(
    undefined,
    "The service cannot listen on this address.",
    "Set MARKETHOOK_HOST to an address of this machine (0.0.0.0 stands for all), and MARKETHOOK_PORT to a port that this user may take.",
  ),
  data_dir_in_use: entry(
    undefined,
    "Another process uses this data folder.",
    "Stop it, choose another MARKETHOOK_DATA_DIR, or use PostgreSQL to run several instances.",
  ),
  data_dir_unusable: entry(
    undefined,
    "The data folder cannot be used.",
    "Set MARKETHOOK_DATA_DIR to a folder that this user may write to. In a container that is a volume.",
  ),
  database_replaced: entry(
    undefined,
    "The database was replaced, and the log of the one before lies next to it.",
    "If a backup was put there, move the files that end in -wal and -shm out of the folder. If the database and the log belong together, delete holder.json. See docs/how-to/back-up-and-restore.md.",
  ),
  moved_to_postgresql: entry(
    undefined,
    "The data of this folder were moved to PostgreSQL.",
    "Set MARKETHOOK_DATABASE_URL to that database and start again. To use the folder again in its place, stop every service there and delete moved.json in the folder. See docs/how-to/move-to-postgresql.md.",
  ),
  database_not_empty: entry(
    undefined,
    "The PostgreSQL database has data already, which a move would mix with others.",
    "Nothing was moved. Move into an empty database: name another one in MARKETHOOK_DATABASE_URL, or, if nothing in it is needed, drop it and make it again.",
  ),
  row_not_movable: entry(
    undefined,
    "A row of SQLite cannot be stored in PostgreSQL.",
    "Nothing was moved. Correct or delete the row that is named, then run the command again. See docs/how-to/move-to-postgresql.md.",
  ),
  schema_newer: entry(
    undefined,
    "The database was written by a newer version.",
    "Run that version or a later one; downgrades need a backup.",
  ),
  older_instances_running: entry(
    undefined,
    "Instances of an older version run on this database, which this version would change below them.",
    "Stop all of them, then start this version.",
  ),
  schema_unknown: entry(
    undefined,
    "The database lacks parts that it should have, or an unreleased version made it.",
    "Restore it again, or put back what was removed. A database of an unreleased version is not upgraded: start with an empty database, or go on with that version.",
  ),
  migration_failed: entry(
    undefined,
    "The database could not be brought to this version.",
    "It was left as it was; see the cause, fix it and start again.",
  ),
  database_rights_missing: entry(
    undefined,
    "The database's user lacks a right that the service needs.",
    "Make the user of MARKETHOOK_DATABASE_URL the owner of the database, or grant it the right that is named.",
  ),
  database_read_only: entry(
    undefined,
    "The database's server takes no writes: it is a standby, or set to read only.",
    "Name the primary in MARKETHOOK_DATABASE_URL, or all servers, of which the service finds it: docs/how-to/fail-over-postgresql.md. If this one is to be the primary, promote it.",
  ),
  engine_too_old: entry(
    undefined,
    "The database engine is too old to be trusted.",
    "Use Node 24.15 or later, which brings SQLite 3.51.3, or PostgreSQL 14 or later.",
  ),
  tables_elsewhere: entry(
    undefined,
    "The service's tables are in a schema that is not on the search path of the database's user.",
    "Set the search_path of the user of MARKETHOOK_DATABASE_URL to that schema, or give the service a database of its own.",
  ),
  database_encoding_wrong: entry(
    undefined,
    "The database's encoding cannot hold all texts.",
    "Make the database again with the encoding UTF8.",
  ),
  master_key_missing: entry(
    undefined,
    "The master key that encrypted this database's secrets is missing.",
    "Restore the key file or MARKETHOOK_MASTER_KEY; without it the secrets cannot be read.",
  ),
  master_key_wrong: entry(
    undefined,
    "The master key is not the one that encrypted this database's secrets.",
    "Restore the right key file or MARKETHOOK_MASTER_KEY.",
  ),
  master_key_rotation_too_early: entry(
    undefined,
    "A running instance does not encrypt with this master key yet.",
    "Restart all instances with the new key first and the old one behind it, then rotate the master key.",
  ),
} as const satisfies Record<string, ErrorEntry>;
