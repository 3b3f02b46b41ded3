import { Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { readLocalTime, writeLocalTime } from "../shared/times.ts";
import stack from "../shared/stack.module.css";
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
  choice: RangeChoice;
  onChange: (choice: RangeChoice) => void;
}

export function RangeFields({ choice, onChange }: RangeFieldsProps) {
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
          <TextInput
            type="datetime-local"
            label={words.deliveries.from}
            defaultValue={writeLocalTime(choice.from)}
            onChange={(event) =>
              onChange({ ...choice, from: readLocalTime(event.currentTarget.value) })
            }
          />
          <TextInput
            type="datetime-local"
            label={words.deliveries.to}
            defaultValue={writeLocalTime(choice.to)}
            onChange={(event) =>
              onChange({ ...choice, to: readLocalTime(event.currentTarget.value) })
            }
          />
        </Group>
      ) : null}
      <Radio.Group
        label={words.replay.whatToSend}
        value={choice.missing ? "missing" : "ended"}
        onChange={(value) => onChange({ ...choice, missing: value === "missing" })}
      >
        <Stack gap="sm" mt="sm">
          <Radio value="ended" label={words.replay.again} description={words.replay.againText} />
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
