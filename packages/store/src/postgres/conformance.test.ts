import { testStore } from "../conformance/index.ts";
import { openPostgresHarness } from "./open-harness.ts";

testStore("PostgreSQL", openPostgresHarness);
