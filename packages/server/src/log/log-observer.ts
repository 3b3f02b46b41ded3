import type { Observer } from "@markethook/dispatcher";
import { deliveryId, eventId } from "@markethook/protocol";
import type { Logger } from "pino";

/** Time after which a commit is logged as slow; after twice as long the marketplace gets `outcome_unknown`. */
const LONG_COMMIT_MS = 1000;

/** One wide line per failed attempt, at debug one per attempt. Never secrets or payloads. */
export function logObserver(logger: Logger, fault: Observer["fault"]): Observer {
  return {
    accepted(batch) {
      if (batch.ms < LONG_COMMIT_MS) logger.debug(batch, "accepted");
      else
        logger.warn(
          batch,
          "accepted, but it took long: the database, its disk or the machine stood still",
        );
    },
    claimed: (batch) => logger.debug(batch, "claimed"),
    attempt(attempt) {
      const delivered = attempt.next === "delivered";
      // Ids are made only for lines that are written: most attempts have none.
      if (!logger.isLevelEnabled(delivered ? "debug" : "info")) return;
      if (delivered) logger.debug(withIds(attempt), "attempt");
      else logger.info(withIds(attempt), "attempt failed");
    },
    settled(batch) {
      if (batch.refused > 0) logger.warn(batch, "outcomes refused: their leases had ended");
    },
    instanceStarted: (instanceNo) => logger.info({ instanceNo }, "instance started"),
    instanceLost: (instanceNo, why) => logger.warn({ instanceNo, why }, "instance lost"),
    rescued: (rescue) => logger.warn(rescue, "took back the deliveries of dead instances"),
    networkSuspected(suspected) {
      if (suspected) logger.error("most webhooks cannot be connected to: is our own network down?");
      else logger.info("webhooks can be connected to again");
    },
    steppedAside(isAside) {
      if (isAside)
        logger.warn("other instances send in place of this one, whose network is probably down");
      else logger.info("this instance sends again");
    },
    senderThreadEnded: ({ error, ...end }) =>
      logger.error({ ...end, error: error.message }, "sender thread ended; another one starts"),
    fault,
  };
}

/** The API's ids in place of the store's numbers. */
function withIds(attempt: Parameters<Observer["attempt"]>[0]) {
  const { deliverySeq, eventSeq, tag, webhookNo: _, ...facts } = attempt;
  return {
    deliveryId: deliveryId({ seq: deliverySeq, tag }),
    eventId: eventId({ seq: eventSeq, tag }),
    ...facts,
    ms: Math.round(facts.ms * 10) / 10,
  };
}

/** An observer that passes each call to these, and then to the last one, which has all methods. */
export function inTurn(others: readonly Partial<Observer>[], last: Observer): Observer {
  const all = [...others, last];
  const told = Object.keys(last).map((name) => {
    const tell = (one: Partial<Observer>) =>
      one[name as keyof Observer] as ((...of: unknown[]) => void) | undefined;
    return [name, (...of: unknown[]) => all.forEach((one) => tell(one)?.apply(one, of))] as const;
  });
  return Object.fromEntries(told) as unknown as Observer; // Each passes on what it is told.
}
