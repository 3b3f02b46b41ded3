import { testOnOldestPostgres } from "./on-oldest-postgres.ts";

testOnOldestPostgres([
  "packages/store/src/postgres/conformance.test.ts",
  "packages/store/src/postgres/migrate.test.ts",
]);
