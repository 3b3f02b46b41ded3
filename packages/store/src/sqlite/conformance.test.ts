import { testStore } from "../conformance/index.ts";
import { openSqliteHarness } from "./open-harness.ts";

testStore("SQLite", openSqliteHarness);
