export { askPostgres } from "./ask-postgres.ts";
export {
  createTestDatabase,
  execute,
  type PostgresServer,
  startPostgres,
} from "./postgres-server.ts";
