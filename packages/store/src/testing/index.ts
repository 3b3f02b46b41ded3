export { createEncryption } from "../encryption.ts";
export { type ClusterMember, makeCluster } from "./postgres-cluster.ts";
export { type MemoryStore, openMemoryStore } from "./memory-store.ts";
export { keepNewServer } from "./postgres-folder.ts";
export {
  createMigratedDatabase,
  createTestDatabase,
  execute,
  type PostgresServer,
  startPostgres,
} from "./postgres-server.ts";
export { removeUnderEnding } from "./temporary-folder.ts";
export { hostOf } from "../management/webhooks/webhook-address.ts";
