/** A forged request ended the receiver's process where the log of refused requests was asynchronous and failed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const PROGRAM = `
  import { createFetchHandler } from ${JSON.stringify(import.meta.resolve("./fetch.ts"))};
  const onEvent = () => {};
  const fails = (which) => async () => { throw new Error(which); };
  const ask = async (options) => {
    const handle = createFetchHandler({ secrets: "s", onEvent, ...options });
    return (await handle(new Request("http://a/", { method: "POST", body: "{}" }))).status;
  };
  const errors = [];
  const onError = ({ message }) => errors.push(message);
  const answers = [
    await ask({ onRejected: fails("log"), onError }),
    await ask({ onRejected: fails("log"), onError: fails("log of errors") }),
  ];
  setImmediate(() => console.log(JSON.stringify({ answers, errors })));`;

test("a log of refusals that fails later is told to onError, and ends nothing", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module-typescript",
    "--eval",
    PROGRAM,
  ]);
  assert.deepEqual(JSON.parse(stdout), { answers: [500, 500], errors: ["log"] });
});
