export {
  createTestDatabase,
  execute,
  type PostgresServer,
  startPostgres,
} from "./postgres-server.ts";
