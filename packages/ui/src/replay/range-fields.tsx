import { Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { readLocalTime } from "../shared/local-time.ts";
import stack from "../shared/stack.module.css";
import type { RangeChoice } from "./range.ts";

const SPANS = [
  { value: "3600", label: "The last hour" },
  { value: "86400", label: "The last day" },
  { value: "604800", label: "The last week" },
  { value: "range", label: "From … to …" },
];

interface RangeFieldsProps {
  choice: RangeChoice;
  onChange: (choice: RangeChoice) => void;
}

export function RangeFields({ choice, onChange }: RangeFieldsProps) {
  return (
    <div className={stack["stack"]}>
      <NativeSelect
        label="Deliveries of"
        data={SPANS}
        value={choice.span}
        onChange={(event) => onChange({ ...choice, span: event.currentTarget.value })}
      />
      {choice.span === "range" ? (
        <Group grow>
          <TextInput
            type="datetime-local"
            label="From"
            onChange={(event) =>
              onChange({ ...choice, from: readLocalTime(event.currentTarget.value) })
            }
          />
          <TextInput
            type="datetime-local"
            label="To"
            onChange={(event) =>
              onChange({ ...choice, to: readLocalTime(event.currentTarget.value) })
            }
          />
        </Group>
      ) : null}
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
    </div>
  );
}
