import type { RescueOutcome } from "../port/deliveries.ts";
import type { Connection } from "./connection.ts";
import { giveBackOrphans, release, undoUncleanEnd } from "./rescue.ts";

/** One process owns this store, so every earlier life is over: what it held is given back at once. */
export function startLife(
  db: Connection,
  name: string,
  version: string,
  survived: number | null,
): { life: number; givenBack: RescueOutcome } {
  return db.transaction(() => {
    const now = db.now();
    const life = db.takeLife();
    const ended = db.all("delete from instances returning life").map((row) => Number(row["life"]));
    db.run(
      "insert into instances (life, name, version, started_at, renewed_at) values (?, ?, ?, ?, ?)",
      life,
      name,
      version,
      now,
      now,
    );
    const givenBack = giveBackOrphans(db, survived === null ? [] : [survived], now);
    if (survived !== null) undoUncleanEnd(db, survived);
    return { life, givenBack: { ...givenBack, lives: ended } };
  });
}

export function renewLife(db: Connection, life: number): boolean {
  return db.transaction(
    () => db.run("update instances set renewed_at = ? where life = ?", db.now(), life) > 0,
  );
}

export function endLife(db: Connection, life: number): number {
  return db.transaction(() => {
    db.run("delete from instances where life = ?", life);
    return release(db, life);
  });
}
