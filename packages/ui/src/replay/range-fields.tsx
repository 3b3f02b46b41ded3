import { Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { readLocalTime, writeLocalTime } from "../shared/local-time.ts";
import stack from "../shared/stack.module.css";
import type { RangeChoice } from "./range.ts";

const SPANS = [
  { value: "3600", label: "The last hour" },
  { value: "86400", label: "The last day" },
  { value: "604800", label: "The last week" },
  { value: "all", label: "All that is kept" },
  { value: "range", label: "From … to …" },
];
const SINCE = { value: "since", label: "Since this event" };

interface RangeFieldsProps {
  choice: RangeChoice;
  onChange: (choice: RangeChoice) => void;
}

export function RangeFields({ choice, onChange }: RangeFieldsProps) {
  return (
    <div className={stack["stack"]}>
      <NativeSelect
        label="Of"
        data={choice.since === undefined ? SPANS : [SINCE, ...SPANS]}
        value={choice.span}
        onChange={(event) => onChange({ ...choice, span: event.currentTarget.value })}
      />
      {choice.span === "range" ? (
        <Group grow>
          <TextInput
            type="datetime-local"
            label="From"
            defaultValue={writeLocalTime(choice.from)}
            onChange={(event) =>
              onChange({ ...choice, from: readLocalTime(event.currentTarget.value) })
            }
          />
          <TextInput
            type="datetime-local"
            label="To"
            defaultValue={writeLocalTime(choice.to)}
            onChange={(event) =>
              onChange({ ...choice, to: readLocalTime(event.currentTarget.value) })
            }
          />
        </Group>
      ) : null}
      <Radio.Group
        label="Send"
        value={choice.missing ? "missing" : "ended"}
        onChange={(value) => onChange({ ...choice, missing: value === "missing" })}
      >
        <Stack gap="sm" mt="sm">
          <Radio
            value="ended"
            label="Deliveries again"
            description="For example after an outage of your server."
          />
          <Radio
            value="missing"
            label="Events that were never sent here"
            description="Because the webhook was added later, or the event was chosen later."
          />
        </Stack>
      </Radio.Group>
      {choice.missing ? null : (
        <Checkbox.Group
          label="That are"
          value={choice.states}
          onChange={(states) => onChange({ ...choice, states })}
        >
          <Group gap="lg" mt="xs">
            <Checkbox value="dead" label="Failed" />
            <Checkbox value="cancelled" label="Cancelled" />
            <Checkbox value="delivered" label="Delivered" />
          </Group>
        </Checkbox.Group>
      )}
    </div>
  );
}
