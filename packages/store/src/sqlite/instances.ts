import type { RescueOutcome } from "../port/deliveries.ts";
import type { Connection } from "./connection.ts";
import { giveBackOrphans, release, undoUncleanEnd } from "./rescue.ts";

/** One process owns this store, so every earlier instance has ended: its deliveries are given back at once. */
export function startInstance(
  db: Connection,
  name: string,
  version: string,
  survived: number | null,
): { instanceNo: number; givenBack: RescueOutcome } {
  return db.transaction(() => {
    const now = db.now();
    const instanceNo = db.takeInstanceNo();
    const ended = db
      .all("select instance_no from instances")
      .map((row) => Number(row["instance_no"]));
    db.run("delete from instances");
    db.run(
      "insert into instances (instance_no, name, version, started_at, renewed_at) values (?, ?, ?, ?, ?)",
      instanceNo,
      name,
      version,
      now,
      now,
    );
    const givenBack = giveBackOrphans(db, survived === null ? [] : [survived], now);
    if (survived !== null) undoUncleanEnd(db, survived);
    return { instanceNo, givenBack: { ...givenBack, instanceNos: ended } };
  });
}

export function renewInstance(
  db: Connection,
  instanceNo: number,
  networkSuspected: boolean,
): boolean {
  return db.transaction(
    () =>
      db.run(
        "update instances set renewed_at = ?, network_suspected = ? where instance_no = ?",
        db.now(),
        networkSuspected ? 1 : 0,
        instanceNo,
      ) > 0,
  );
}

export function endInstance(db: Connection, instanceNo: number): number {
  return db.transaction(() => {
    db.run("delete from instances where instance_no = ?", instanceNo);
    return release(db, instanceNo);
  });
}
