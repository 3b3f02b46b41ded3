import { Checkbox, Group, NativeSelect, Radio, Stack } from "@mantine/core";
import stack from "../shared/stack.module.css";
import { TimeRangeFields } from "../shared/time-range-fields.tsx";
import { words } from "../words/words.ts";
import type { ReplayRange } from "@markethook/client";

type ReplayState = "dead" | "cancelled" | "delivered";

export interface RangeChoice {
  /** Seconds until now, `since`, `all`, or `range`. */
  span: string;
  /** Of `since`, Unix seconds: when an event was reported. */
  since?: number;
  /** Of `range`, Unix seconds. */
  from?: number | undefined;
  to?: number | undefined;
  /** Of deliveries that ended. */
  states: ReplayState[];
  /** Instead of those: events that never had a delivery. */
  missing: boolean;
}

/** Null while the choice is not complete. */
export function rangeOf(choice: RangeChoice, now: number): ReplayRange | null {
  const { span, since, states, missing } = choice;
  if (!missing && states.length === 0) return null;
  const which = missing ? { include: "missing" as const } : { states };
  // The newest deliveries belong to it, and the service's clock is known to a second or two.
  const to = now + 5;
  if (span === "since" && since !== undefined) return { from: since, to, ...which };
  if (span === "all") return { from: 0, to, ...which };
  if (span !== "range") return { from: now - Number(span), to, ...which };
  const { from, to: until } = choice;
  return from === undefined || until === undefined || from >= until
    ? null
    : { from, to: until, ...which };
}

function spans({ since }: RangeChoice): { value: string; label: string }[] {
  return [
    ...(since === undefined ? [] : [{ value: "since", label: words.replay.sinceEvent }]),
    { value: "3600", label: words.replay.lastHour },
    { value: "86400", label: words.replay.lastDay },
    { value: "604800", label: words.replay.lastWeek },
    { value: "all", label: words.replay.allKept },
    { value: "range", label: words.deliveries.range },
  ];
}

export function RangeFields(props: {
  isChat: boolean;
  choice: RangeChoice;
  onChange: (choice: RangeChoice) => void;
}) {
  const { isChat, choice, onChange } = props;
  return (
    <div className={stack["stack"]}>
      <NativeSelect
        label={words.replay.of}
        data={spans(choice)}
        value={choice.span}
        onChange={(event) => onChange({ ...choice, span: event.currentTarget.value })}
      />
      {choice.span === "range" ? (
        <Group grow>
          <TimeRangeFields
            range={choice}
            onChange={(change) => onChange({ ...choice, ...change })}
          />
        </Group>
      ) : null}
      <Radio.Group
        label={words.replay.whatToSend}
        value={choice.missing ? "missing" : "ended"}
        onChange={(value) => onChange({ ...choice, missing: value === "missing" })}
      >
        <Stack gap="sm" mt="sm">
          <Radio
            value="ended"
            label={words.replay.again}
            description={words.replay.againText(isChat)}
          />
          <Radio
            value="missing"
            label={words.replay.missing}
            description={words.replay.missingText}
          />
        </Stack>
      </Radio.Group>
      {choice.missing ? null : (
        <Checkbox.Group
          label={words.replay.thatAre}
          value={choice.states}
          onChange={(states) => onChange({ ...choice, states })}
        >
          <Group gap="lg" mt="xs">
            <Checkbox value="dead" label={words.deliveries.states.dead} />
            <Checkbox value="cancelled" label={words.deliveries.states.cancelled} />
            <Checkbox value="delivered" label={words.deliveries.states.delivered} />
          </Group>
        </Checkbox.Group>
      )}
    </div>
  );
}
