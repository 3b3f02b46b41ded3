import type { SimulationPlant } from "./plants.ts";

const DISPATCHER = "packages/dispatcher/src";
const SQLITE = "packages/store/src/sqlite";
const HOT = "packages/store/src/hot";

/** Bugs that the simulation must find with seeds that were not chosen for them. */
export const SIMULATION_PLANTS: readonly SimulationPlant[] = [
  {
    name: "a retry is due at once",
    file: `${SQLITE}/settle.ts`,
    find: "now + Math.round(retry?.delayMs ?? 0),",
    replace: "now + 0 * (retry?.delayMs ?? 0),",
  },
  {
    name: "a failure is no step of the schedule",
    file: `${SQLITE}/settle.ts`,
    find: "    counts ? 1 : 0,\n",
    replace: "    counts ? 0 : 0,\n",
  },
  {
    name: "what goes back forgets its buyer",
    file: `${SQLITE}/settle.ts`,
    find: "select seq, event_seq, webhook_no, kind, order_key, lease, attempts + ?",
    replace: "select seq, event_seq, webhook_no, kind, null, lease, attempts + ?",
  },
  {
    name: "a repeated release ends the lease that came after",
    file: `${SQLITE}/settle.ts`,
    find: "and lease = ?`,\n    attempt === null ? 0 : 1,",
    replace: "and lease >= ?`,\n    attempt === null ? 0 : 1,",
    seeds: 300,
  },
  {
    name: "a repeated settlement stops the batch that it is in",
    file: `${SQLITE}/settle.ts`,
    find: "and lease = ?`,\n    attempt === null ? 0 : 1,",
    replace: "and lease >= ?`,\n    attempt === null ? 0 : 1,",
    also: [
      {
        file: `${HOT}/settle-apart.ts`,
        find: "if (!isAboutRows(error)) throw error;",
        replace: "if (isAboutRows !== undefined) throw error;",
      },
    ],
  },
  {
    name: "what was given back stays leased too",
    file: `${SQLITE}/settle.ts`,
    find: 'db.write("delete from leased where seq = ?", seq);\n  if (attempt !== null) saveAttempt',
    replace: "if (attempt !== null) saveAttempt",
  },
  {
    name: "a claim takes what waits behind an earlier one",
    file: `${SQLITE}/claim.ts`,
    find: 'if (row["order_key"] !== null && isBlocked(db, row)) {',
    replace: 'if (row["order_key"] === undefined && isBlocked(db, row)) {',
  },
  {
    name: "a claim does not see what is on its way",
    file: `${SQLITE}/claim.ts`,
    find: 'const EARLIER = ["leased", "pending"].map(',
    replace: 'const EARLIER = ["pending"].map(',
  },
  {
    name: "a claim takes what is due in a minute",
    file: `${SQLITE}/claim.ts`,
    find: "where webhook_no = ? and due_at <= ? order by due_at",
    replace: "where webhook_no = ? and due_at <= ? + 60000 order by due_at",
  },
  {
    name: "a hint takes what is not due",
    file: `${SQLITE}/claim.ts`,
    find: 'if (Number(row["blocked"]) === 0 && Number(row["due_at"]) > now) continue;',
    replace: "",
  },
  {
    name: "the circle of webhooks leaves out each second one",
    file: `${SQLITE}/claim.ts`,
    find: 'after = Number(next["webhook_no"]);',
    replace: 'after = Number(next["webhook_no"]) + 1;',
  },
  {
    name: "a rescue forgets whose turn it was",
    file: `${SQLITE}/rescue.ts`,
    find: "event_seq, webhook_no, kind, order_key, lease, ?,",
    replace: "event_seq, webhook_no, kind, null, lease, ?,",
  },
  {
    name: "a rescue takes from those who live",
    file: `${DISPATCHER}/lease/silent-instances.ts`,
    find: "if (askedAt - since >= leaseMs)",
    replace: "if (askedAt - since >= leaseMs / 8)",
  },
  {
    name: "a rescue leaves what it finds where it is",
    file: `${SQLITE}/rescue.ts`,
    find: '"from leased where instance_no not in (select instance_no from instances)"',
    replace: '"from leased where instance_no is null"',
  },
  {
    name: "a rescue forgets how far the schedule was",
    file: `${SQLITE}/rescue.ts`,
    find: "attempts + ?, step,",
    replace: "attempts + ?, 0,",
  },
  {
    name: "what is still leased is given back too",
    file: `${SQLITE}/rescue.ts`,
    find: "where instance_no = ? and (seq, lease) not in (select value ->> 0, value ->> 1 from json_each(?))",
    replace:
      "where instance_no = ? and (seq, lease) not in (select value ->> 1, value ->> 0 from json_each(?))",
  },
  {
    name: "a repeated report is a new event",
    file: `${SQLITE}/idempotency-keys.ts`,
    find: "this.#new.find(row.key) ?? this.#find(generations, row.key)",
    replace: "this.#find(generations, row.key)",
  },
  {
    name: "accepted, and forgotten where there is no room",
    file: `${SQLITE}/accept.ts`,
    find: "for (const row of rows.pending) {",
    replace: "for (const row of rows.pending.filter(({ blocked }) => blocked)) {",
  },
  {
    name: "what is accepted does not look whether its buyer waits",
    file: `${HOT}/fan-out.ts`,
    find: "if (taken.has(pair) || busy.has(pair)) {",
    replace: "if (taken.has(pair)) {",
  },
  {
    name: "of one batch a buyer's events go together",
    file: `${HOT}/fan-out.ts`,
    find: "      taken.add(pair);\n",
    replace: "",
  },
  {
    name: "a process writes as long as it believes to live",
    file: `${DISPATCHER}/lease/heartbeat.ts`,
    find: "return this.#options.now() - this.#confirmedAt < this.#writeMs && !this.#clocksParted();",
    replace: "return true;",
  },
  {
    name: "a process that slept does not look at its clocks",
    file: `${DISPATCHER}/lease/heartbeat.ts`,
    find: "return Math.abs(wallNow() - now() - this.#clockGap) > mostClockJumpMs(this.#writeMs);",
    replace: "return Math.abs(wallNow() - now() - this.#clockGap) > 1e12;",
  },
  {
    name: "an outcome that cannot be stored is dropped",
    file: `${DISPATCHER}/deliver/settler.ts`,
    find: "if (!this.#options.isCurrent(instanceNo)) return allRefused(settlements);\n        await",
    replace:
      "if (this.#options.isCurrent(instanceNo)) return allRefused(settlements);\n        await",
  },
  {
    name: "who is in doubt about leases never asks",
    file: `${DISPATCHER}/lease/leases-and-lost-answers.ts`,
    find: "void this.#ask(this.#doubted);",
    replace: "void this.#ask;",
  },
  {
    name: "suspects go one at a time",
    file: `${HOT}/suspicion.ts`,
    find: "return Math.max(1, WIDEST >> Math.min(level - 1, 31));",
    replace: "return Math.max(1, WIDEST >> 31);",
  },
  {
    name: "a place of a share is never given back",
    file: `${DISPATCHER}/gates/concurrency.ts`,
    find: "if (share !== null) this.#leave(share, false);",
    replace: "",
  },
  {
    name: "a permitted place is never free again",
    file: `${DISPATCHER}/queue/waiting-room.ts`,
    find: "place.permits -= 1;\n      if (place.keeper",
    replace: "if (place.keeper",
  },
  {
    name: "a webhook that was let out still counts as waiting",
    file: `${DISPATCHER}/queue/waiting-room.ts`,
    find: "this.#waiting[place.reason] -= 1;",
    replace: "",
  },
  {
    name: "a place is not looked at again when its time comes",
    file: `${DISPATCHER}/queue/waiting-room.ts`,
    find: "if (place.lookAt !== tick * TICK_MS) continue;",
    replace: "if (place.lookAt === tick * TICK_MS) continue;",
  },
  {
    name: "after a request its webhook is not looked at again",
    file: `${DISPATCHER}/queue/fair-queue.ts`,
    find: "this.#ready.add(queue);\n    this.queues.forgetIfIdle(queue);\n    this.#endPauseForRoom",
    replace: "this.queues.forgetIfIdle(queue);\n    this.#endPauseForRoom",
  },
  {
    name: "bytes of what is removed are not given back",
    file: `${DISPATCHER}/queue/fair-queue.ts`,
    find: "for (const entry of out) this.#bytes -= bytesOf(entry);",
    replace: "",
  },
  {
    name: "the schedule is read one place too early",
    file: `${DISPATCHER}/deliver/retry-schedule.ts`,
    find: "const wait = schedule[failuresSoFar - 1];",
    replace:
      "const wait = schedule[failuresSoFar > schedule.length ? failuresSoFar - 1 : Math.max(0, failuresSoFar - 2)];",
  },
  {
    name: "the last retry is left out",
    file: `${DISPATCHER}/deliver/retry-schedule.ts`,
    find: "return wait === undefined ? null",
    replace: "return wait === undefined || failuresSoFar === schedule.length ? null",
  },
  {
    name: "a receiver's wish to be left alone is not heard",
    file: `${DISPATCHER}/deliver/settlement.ts`,
    find: "const asked = found === null ? null : clampRetryAfter(found);",
    replace: "const asked = found === null || found > 0 ? null : clampRetryAfter(found);",
  },
  {
    name: "a server's error counts as delivered",
    file: `${DISPATCHER}/deliver/judge-answer.ts`,
    find: '[5, ["http_error", "retry", null, true]],',
    replace: '[5, ["ok", "delivered", null, false]],',
  },
  {
    name: "the claim loop waits for more room than there is",
    file: `${DISPATCHER}/lease/claim-loop.ts`,
    find: "const ENOUGH_ROOM = 1024 * 1024;",
    replace: "const ENOUGH_ROOM = 3 * 1024 * 1024;",
  },
  {
    name: "slow webhooks may take all slots",
    file: `${DISPATCHER}/gates/concurrency.ts`,
    find: "Math.max(1, Math.floor(options.concurrency * of));",
    replace: "Math.max(1, Math.floor(options.concurrency + 0 * of));",
  },
  {
    name: "a host that never answered has no limit",
    file: `${DISPATCHER}/gates/rate-window.ts`,
    find: "return Math.max(0, this.#most() - this.#at.length);",
    replace: "return Math.max(1, this.#most() - this.#at.length);",
  },
  {
    name: "after an outage all goes at once",
    file: `${DISPATCHER}/gates/slow-start-gate.ts`,
    find: "return slowStart !== null && slowStart.isFull(this.#now()) ? slowStart : null;",
    replace: "return null;",
  },
  {
    name: "a channel's queue is not woken when a message was answered",
    file: `${DISPATCHER}/chat/chat-pace.ts`,
    find: "    chat.bucket.leave(sent, this.#options.now());\n    this.#options.wake(chat.bucket);\n",
    replace: "    chat.bucket.leave(sent, this.#options.now());\n",
  },
  {
    name: "what a channel says of its limit is not learnt",
    file: `${DISPATCHER}/chat/chat-bucket.ts`,
    find: "this.#remaining = now >= this.#resetAt ? remaining : Math.min(this.#remaining, remaining);",
    replace: "this.#remaining = limit + 0 * remaining;",
    seeds: 300,
  },
  {
    name: "leases begin with the same name, for deliveries whose numbers come again too",
    file: `${HOT}/accept.ts`,
    find: "const lease = firstLease(items);",
    replace: "const lease = firstLease(items.slice(0, 0));",
    seeds: 150,
    failovers: true,
  },
];
