import { Checkbox } from "@mantine/core";
import type { ReplayCount } from "@markethook/client";
import stack from "../shared/stack.module.css";

interface FoundDeliveriesProps {
  /** Undefined: not counted yet. */
  found: ReplayCount | undefined;
  missing: boolean;
  /** Whether those out of order are sent too. */
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}

/** What was counted, and a question where some would come after a later event about the same buyer. */
export function FoundDeliveries({ found, missing, confirmed, onConfirm }: FoundDeliveriesProps) {
  const late = found?.outOfOrder ?? 0;
  return (
    <div className={stack["stack"]}>
      <p role="status">{found === undefined ? "" : words(found, missing)}</p>
      {late === 0 ? null : (
        <Checkbox
          checked={confirmed}
          onChange={(event) => onConfirm(event.currentTarget.checked)}
          label={`Also ${late} whose buyer had a later event sent here`}
          description="For example a purchase that was refunded since. A server that does not look at the order could give access back to somebody who was refunded."
        />
      )}
    </div>
  );
}

function words({ count, capped }: ReplayCount, missing: boolean): string {
  const one = count === 1;
  const many = `${capped ? "More than " : ""}${count}`;
  if (missing) {
    if (count === 0) return "Nothing is missing.";
    return `${many} ${one ? "event was" : "events were"} never sent here.`;
  }
  if (count === 0) return "No delivery fits.";
  return `${many} ${one ? "delivery fits" : "deliveries fit"}. Each keeps its webhook-id, so a server that deduplicates ignores what it had.`;
}

/** How many are sent. */
export function sentOf(found: ReplayCount, confirmed: boolean): number {
  return found.count + (confirmed ? (found.outOfOrder ?? 0) : 0);
}
