import { Checkbox, Group, NativeSelect, Radio, Stack } from "@mantine/core";
import stack from "../shared/stack.module.css";
import { TimeRangeFields } from "../shared/time-range-fields.tsx";
import type { RangeChoice } from "./range.ts";
import { words } from "../words/words.ts";

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

interface RangeFieldsProps {
  isChat: boolean;
  choice: RangeChoice;
  onChange: (choice: RangeChoice) => void;
}

export function RangeFields({ isChat, choice, onChange }: RangeFieldsProps) {
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
