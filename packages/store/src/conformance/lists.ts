import assert from "node:assert/strict";
import type { LogPage, LogPosition } from "../port/log-page.ts";
import type { Store } from "../port/store.ts";

/** One member of each, in their order. */
export function each<T, Name extends keyof T>(list: readonly T[], name: Name): T[Name][] {
  return list.map((one) => one[name]);
}

/** The first page of a log. */
export function newest(limit: number): LogPosition & { beforeSeq: null } {
  return { beforeSeq: null, limit };
}

/** All pages of a log, each from where the one before ended. */
export async function pagesOf<Page extends LogPage<unknown>>(
  read: (beforeSeq: number | null) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let beforeSeq: number | null = null; ;) {
    const page = await read(beforeSeq);
    pages.push(page);
    if (page.nextSeq === null) return pages;
    assert.ok(beforeSeq === null || page.nextSeq < beforeSeq, "it goes on");
    beforeSeq = page.nextSeq;
  }
}

export async function itemsOf<T>(
  read: (beforeSeq: number | null) => Promise<LogPage<T>>,
): Promise<T[]> {
  return (await pagesOf(read)).flatMap(({ items }) => items);
}

/** How many deliveries each step of a replay sent, or of making what is missing. */
export async function stepsOf(
  step: (afterSeq: number) => Promise<{ sent: number; nextSeq: number | null }>,
): Promise<number[]> {
  const sent: number[] = [];
  for (let after: number | null = 0; after !== null;) {
    const done = await step(after);
    sent.push(done.sent);
    after = done.nextSeq;
  }
  return sent;
}

/** Names `n (i)`, from 1 to this number. */
export function numbersTo(store: Store, count: number): string {
  return store.kind === "sqlite"
    ? `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`
    : `with n (i) as (select i from generate_series(1, ${count}) as i)`;
}
