import { Worker } from "node:worker_threads";
import { openSqlite } from "../sqlite/open.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";

/** Ends the thread that writes, as a want of memory would, and goes on. */
const store = await openSqlite({ ...TEST_OPTIONS, folder: process.argv[2] ?? "" });
const post = Reflect.get(Worker.prototype, "postMessage");
Worker.prototype.postMessage = function (this: Worker) {
  Worker.prototype.postMessage = post;
  void this.terminate();
};
setInterval(() => {}, 1000);
await store.maintenance.now().catch(() => undefined);
