import { Checkbox } from "@mantine/core";
import type { ReplayCount } from "@markethook/client";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";

interface FoundDeliveriesProps {
  /** Undefined: not counted yet. */
  found: ReplayCount | undefined;
  counting: boolean;
  isChat: boolean;
  missing: boolean;
  /** The chosen ones. */
  states: readonly string[];
  /** Whether those out of order are sent too. */
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}

/** What was counted, and a question where some would come after a later event about the same buyer. */
export function FoundDeliveries(props: FoundDeliveriesProps) {
  const { found, counting, isChat, confirmed, onConfirm } = props;
  const late = found?.outOfOrder ?? 0;
  return (
    <div className={stack["stack"]}>
      <p role="status">
        {counting ? words.early.counting : found === undefined ? "" : textOf(found, props)}
      </p>
      {late === 0 ? null : (
        <Checkbox
          checked={confirmed}
          onChange={(event) => onConfirm(event.currentTarget.checked)}
          label={words.replay.alsoLate(late)}
          description={words.replay.alsoLateText(isChat)}
        />
      )}
    </div>
  );
}

function textOf({ count, capped }: ReplayCount, about: FoundDeliveriesProps): string {
  const { fit, arrivedLeftOut, repeated, neverSent, noneFits, nothingMissing } = words.replay;
  const { isChat, missing, states } = about;
  if (missing) return count === 0 ? nothingMissing : neverSent(count, capped);
  if (count === 0) return noneFits;
  // Of what failed nothing arrives twice. What was delivered before does, and the text says so.
  const more = states.includes("delivered") ? repeated(isChat) : arrivedLeftOut;
  return `${fit(count, capped)} ${more}`;
}

/** How many are sent. */
export function sentOf(found: ReplayCount, confirmed: boolean): number {
  return found.count + (confirmed ? (found.outOfOrder ?? 0) : 0);
}
