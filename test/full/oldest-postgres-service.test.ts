import { testOnOldestPostgres } from "./on-oldest-postgres.ts";

testOnOldestPostgres(["test/behaviour/marketplace.test.ts", "test/faults/kill-postgres.test.ts"]);
