import assert from "node:assert/strict";
import { test } from "node:test";
import { SETTINGS } from "./config-schema.ts";
import { nearestName } from "./nearest-name.ts";

const NAMES = Object.values(SETTINGS).map(({ name }) => name.slice("MARKETHOOK_".length));

test("a slip of the finger, swapped words and a short form find the name that was meant", () => {
  for (const [given, meant] of [
    ["PROT", "PORT"],
    ["BASE_ULR", "BASE_URL"],
    ["BASEURL", "BASE_URL"],
    ["URL_BASE", "BASE_URL"],
    ["DATA_DIRECTORY", "DATA_DIR"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["DB_URL", "DATABASE_URL"],
    ["MASTERKEY", "MASTER_KEY"],
    ["RETRY_SHEDULE", "RETRY_SCHEDULE"],
    ["SERVICENAME", "SERVICE_NAME"],
  ] as const) {
    assert.equal(nearestName(given, NAMES), meant, given);
  }
});

test("what is near nothing finds nothing", () => {
  for (const given of ["", "X", "COLOUR_OF_THE_SKY", "QUX_QUX"]) {
    assert.equal(nearestName(given, NAMES), null, given);
  }
});
