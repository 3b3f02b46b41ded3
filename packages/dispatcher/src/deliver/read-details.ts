import { isAboutRows, type Store } from "@markethook/store";
import { Batcher } from "../accept/batcher.ts";

const TOGETHER = 256;
/** On PostgreSQL they share a few connections with the API. */
const AT_ONCE = 2;

/** Reads the details of events. Hundreds of requests may ask for them at a time: a query reads those of all that wait. */
export function createReadDetails(events: Pick<Store["events"], "details">) {
  const batcher = new Batcher<number, string | null>({
    maxItems: TOGETHER,
    parallel: AT_ONCE,
    isOfOne: isAboutRows,
    async run(eventSeqs) {
      const found = await events.details(eventSeqs);
      return eventSeqs.map((eventSeq) => found.get(eventSeq) ?? null);
    },
  });
  return async (eventSeq: number): Promise<string | null> => {
    const [details = null] = await batcher.add([eventSeq]);
    return details;
  };
}
