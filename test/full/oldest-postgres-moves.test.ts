import { testOnOldestPostgres } from "./on-oldest-postgres.ts";

testOnOldestPostgres([
  "packages/store/src/move/cut-move.test.ts",
  "packages/store/src/move/move-to-postgres.test.ts",
  "packages/store/src/move/refused-move.test.ts",
  "packages/store/src/regression-earlier-schema.test.ts",
]);
