import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { CHOOSABLE_EVENTS } from "../shared/event-words.ts";
import { LEAST_SOUGHT, type LogFilter, STATE_CHOICES } from "./log-filter.ts";
import classes from "./log-filters.module.css";
import { TimeFilter } from "./time-filter.tsx";

interface LogFiltersProps {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  status: ReactNode;
}

const EVENTS = [
  { value: "", label: "All events" },
  ...CHOOSABLE_EVENTS.map(({ name, title }) => ({ value: name, label: title })),
  { value: "ping", label: "Ping" },
];
const STATES = [{ value: "", label: "All states" }, ...STATE_CHOICES];

/** Empty values narrow nothing, and are left out of the address. */
export function LogFilters({ filter, onFilter, status }: LogFiltersProps) {
  const set = (change: { [Name in keyof LogFilter]?: LogFilter[Name] | undefined }): void => {
    const next = Object.fromEntries(
      Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined),
    );
    onFilter(next);
  };
  return (
    <div className={classes["filters"]} role="search" aria-label="Filter deliveries">
      <SearchField value={filter.search ?? ""} onSearch={(search) => set({ search })} />
      <NativeSelect
        aria-label="Event"
        data={EVENTS}
        value={filter.event ?? ""}
        onChange={(event) =>
          set({ event: (event.currentTarget.value || undefined) as LogFilter["event"] })
        }
      />
      <NativeSelect
        aria-label="State"
        data={STATES}
        value={filter.state ?? ""}
        onChange={(event) =>
          set({ state: (event.currentTarget.value || undefined) as LogFilter["state"] })
        }
      />
      <StatusField value={filter.status} onStatus={(code) => set({ status: code })} />
      <TimeFilter filter={filter} onTime={set} />
      {filter.userId === undefined ? null : (
        <Button
          variant="default"
          aria-label={`All buyers, not ${filter.userId} alone`}
          onClick={() => set({ userId: undefined })}
        >
          Buyer {filter.userId} ×
        </Button>
      )}
      <div className={classes["status"]}>{status}</div>
    </div>
  );
}

function SearchField(props: { value: string; onSearch: (search: string | undefined) => void }) {
  const [text, setText] = useState(props.value);
  const submit = (next: string): void => {
    const trimmed = next.trim();
    if (isTooShort(trimmed)) return;
    if (trimmed !== props.value) props.onSearch(trimmed === "" ? undefined : trimmed);
  };
  return (
    <form
      className={classes["search"]}
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
    >
      <TextInput
        type="search"
        aria-label="Search deliveries"
        placeholder="Order, buyer, reply or id"
        error={isTooShort(text.trim()) ? "Two characters at least" : null}
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (event.currentTarget.value === "") submit("");
        }}
        onBlur={() => submit(text)}
      />
    </form>
  );
}

function isTooShort(text: string): boolean {
  return text !== "" && text.length < LEAST_SOUGHT;
}

function StatusField(props: {
  value: number | undefined;
  onStatus: (status: number | undefined) => void;
}) {
  const [text, setText] = useState(props.value === undefined ? "" : String(props.value));
  return (
    <TextInput
      className={classes["code"] ?? ""}
      aria-label="HTTP status"
      placeholder="Status"
      inputMode="numeric"
      maxLength={3}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value.replace(/\D/g, "");
        setText(next);
        if (next === "") props.onStatus(undefined);
        else if (/^[1-5]\d\d$/.test(next)) props.onStatus(Number(next));
      }}
    />
  );
}
