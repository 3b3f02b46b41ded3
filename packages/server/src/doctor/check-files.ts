import type { FileFact, FileFacts, Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

const GROUP_AND_OTHERS = 0o077;
/** A key that an orchestrator provides may be readable by the service's group. */
const ALL_BUT_GROUP_READS = 0o037;
/** Bits of a mode. */
const KIND = 0o170000;
const FOLDER = 0o040000;
const LEAST_FREE = 1024 ** 3;

/** Checks who else can read or change secret files, and the file system of the data folder. */
export function* checkFiles(facts: Facts): Iterable<Finding> {
  const { config, files } = facts;
  const { dataDir, database, key } = files;
  if (dataDir !== null && !isFolder(dataDir)) {
    yield finding("data_dir_not_writable", `${dataDir.path} is not a folder.`);
    return;
  }
  if (dataDir !== null && isOpen(dataDir, GROUP_AND_OTHERS))
    yield finding("data_dir_open", `${described(dataDir)} is open to other users.`);
  if (usesFolder(facts)) yield* checkAccess(files);
  if (facts.database.kind === "sqlite" && files.movedTo !== null)
    yield finding("data_moved", `The data of ${config.dataDir} went to ${files.movedTo}.`);
  const open = database.filter((file) => isOpen(file, GROUP_AND_OTHERS)).map(described);
  if (open.length > 0)
    yield finding("database_file_open", `Open to other users: ${open.join(", ")}.`);
  const closed = config.masterKeyFile === null ? GROUP_AND_OTHERS : ALL_BUT_GROUP_READS;
  if (key !== null && isOpen(key, closed))
    yield finding("key_file_open", `${described(key)} is open to other users.`);
  if (files.samples)
    yield finding("development_data", `${config.dataDir} holds a sample marketplace.`);
}

/** PostgreSQL with a master key from elsewhere needs no data folder. */
function usesFolder({ config, database }: Facts): boolean {
  return database.kind === "sqlite" || (config.masterKey === null && config.masterKeyFile === null);
}

function* checkAccess({ dataDir, writable, closed, replaced }: FileFacts): Iterable<Finding> {
  if (dataDir !== null && !writable)
    yield finding("data_dir_not_writable", `${dataDir.path} cannot be written to by this user.`);
  if (closed.length > 0) {
    const paths = closed.join(", ");
    yield finding("data_dir_not_writable", `${paths} cannot be read and written by this user.`);
  }
  if (replaced) {
    yield finding(
      "database_replaced",
      "The database is another file than the one whose log lies next to it.",
    );
  }
}

/** Only if SQLite's data are on it. */
export function* checkDisk({ config, files, database }: Facts): Iterable<Finding> {
  if (database.kind !== "sqlite") return;
  if (files.network)
    yield finding("network_filesystem", `${config.dataDir} is on a network file system.`);
  if (files.freeBytes !== null && files.freeBytes < LEAST_FREE) {
    const mib = Math.floor(files.freeBytes / 1024 ** 2);
    yield finding("disk_nearly_full", `${config.dataDir} has ${mib} MiB left.`);
  }
}

function isFolder({ mode }: FileFact): boolean {
  return (mode & KIND) === FOLDER;
}

function isOpen({ mode }: FileFact, bits: number): boolean {
  return (mode & bits) !== 0;
}

function described({ path, mode }: FileFact): string {
  return `${path} (mode ${(mode & 0o777).toString(8).padStart(4, "0")})`;
}
