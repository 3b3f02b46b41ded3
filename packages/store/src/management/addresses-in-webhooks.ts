import { shownUrl } from "@markethook/protocol";
import { isSealed } from "../seal.ts";
import { hostOf } from "./host-of.ts";
import type { SealingStep } from "./sealing-step.ts";

const AT_ONCE = 200;

/** Deleted ones too. A chat's URL is sealed already, and may be under a key that is lost: its host is shown. */
export const sealInWebhooks: SealingStep = async (trx, { seal }, after) => {
  const rows = await trx
    .selectFrom("webhooks")
    .select(["no", "id", "url", "shown_url"])
    .where("no", ">", after.no)
    .orderBy("no")
    .limit(AT_ONCE)
    .execute();
  for (const { no, id, url, shown_url } of rows) {
    const set = isSealed(url)
      ? { host: hostOf(shown_url) }
      : { url: seal.seal(url, id), shown_url: shownUrl(url), host: hostOf(url) };
    await trx.updateTable("webhooks").set(set).where("no", "=", no).execute();
  }
  const last = rows.at(-1);
  return { examined: rows.length, next: last === undefined ? null : { no: last.no } };
};
