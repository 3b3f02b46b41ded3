import { Checkbox, Radio, Stack } from "@mantine/core";
import { CHOOSABLE_EVENTS } from "../shared/event-words.ts";
import classes from "./events-field.module.css";

interface EventsFieldProps {
  /** Null: all. */
  value: readonly string[] | null;
  onChange: (events: string[] | null) => void;
  error: string | null;
}

/** All events, or chosen ones, each explained. */
export function EventsField({ value, onChange, error }: EventsFieldProps) {
  return (
    <div>
      <Radio.Group
        label="Events"
        value={value === null ? "all" : "chosen"}
        onChange={(choice) => onChange(choice === "all" ? null : [])}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="all"
            label="All events"
            description="Also those that come to exist later."
          />
          <Radio value="chosen" label="Chosen events" />
        </Stack>
      </Radio.Group>
      {value === null ? null : (
        <Checkbox.Group
          className={classes["chosen"] ?? ""}
          aria-label="Chosen events"
          value={[...value]}
          onChange={onChange}
          error={error}
        >
          <Stack gap="sm">
            {CHOOSABLE_EVENTS.map(({ name, title, about }) => (
              <Checkbox
                key={name}
                value={name}
                label={
                  <>
                    {title} <code className={classes["name"]}>{name}</code>
                  </>
                }
                description={about}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </div>
  );
}
