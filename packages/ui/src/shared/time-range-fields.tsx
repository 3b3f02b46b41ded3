import { TextInput } from "@mantine/core";
import { words } from "../words/words.ts";
import { readLocalTime, writeLocalTime } from "./times.ts";

export interface TimeRange {
  /** Unix seconds; undefined where the range is open. */
  from?: number | undefined;
  to?: number | undefined;
}

interface TimeRangeFieldsProps {
  range: TimeRange;
  onChange: (change: TimeRange) => void;
}

/** Two fields, to be placed next to each other. */
export function TimeRangeFields({ range, onChange }: TimeRangeFieldsProps) {
  const { from, to } = range;
  const reversed = from !== undefined && to !== undefined && to <= from;
  return (
    <>
      <TextInput
        type="datetime-local"
        label={words.shared.from}
        defaultValue={writeLocalTime(from)}
        onChange={(event) => onChange({ from: readLocalTime(event.currentTarget.value) })}
      />
      <TextInput
        type="datetime-local"
        label={words.shared.to}
        error={reversed ? words.shared.endsTooEarly : undefined}
        defaultValue={writeLocalTime(to)}
        onChange={(event) => onChange({ to: readLocalTime(event.currentTarget.value) })}
      />
    </>
  );
}
