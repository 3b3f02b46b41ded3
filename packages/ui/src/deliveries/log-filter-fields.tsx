import { NativeSelect, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { type TimeRange, TimeRangeFields } from "../shared/time-range-fields.tsx";
import { serviceNow } from "../shared/times.ts";
import { isLongEnough, type LogFilter } from "./log-filter.ts";
import classes from "./delivery-log.module.css";
import { words } from "../words/words.ts";
import { useResources, useWebhooks } from "../api/resources-and-webhooks.ts";
import { webhookTitles } from "../webhooks/webhook-words.ts";

interface Place {
  resourceId?: string | undefined;
  webhookId?: string | undefined;
}

/** Narrows the log of all to a resource, or to one webhook of it. */
export function PlaceFilter(props: { place: Place; onPlace: (place: Required<Place>) => void }) {
  const { resourceId, webhookId } = props.place;
  const { data: webhooks = [], isPending: areWebhooksPending } = useWebhooks();
  const { data: resources = [], isPending: areResourcesPending } = useResources();
  const titles = webhookTitles(webhooks);
  const groups = resources.map(({ id, title }) => ({
    group: title,
    items: [
      { value: `resource ${id}`, label: words.deliveries.allOf(title) },
      ...webhooks
        .filter((webhook) => webhook.resourceId === id)
        .map((webhook) => ({
          value: `webhook ${webhook.id}`,
          label: titles.get(webhook.id) ?? "",
        })),
    ],
  }));
  const value =
    webhookId === undefined
      ? resourceId === undefined
        ? ""
        : `resource ${resourceId}`
      : `webhook ${webhookId}`;
  const isListed =
    value === "" || groups.some(({ items }) => items.some((item) => item.value === value));
  const isPending = areWebhooksPending || areResourcesPending;
  // One that is not read yet, or was deleted. Without an option the field would name the first one.
  const label = isPending ? words.shared.loading : (webhookId ?? resourceId ?? "");
  const unlisted = isListed ? [] : [{ value, label }];
  return (
    <NativeSelect
      // The same with and without what it lists, so that nothing moves when that comes.
      w="16rem"
      maw="100%"
      aria-label={words.deliveries.place}
      data={[{ value: "", label: words.deliveries.allPlaces }, ...unlisted, ...groups]}
      value={value}
      onChange={(event) => {
        const [, kind, id] = /^(\w+) (.*)$/.exec(event.currentTarget.value) ?? [];
        props.onPlace({
          resourceId: kind === "resource" ? id : undefined,
          webhookId: kind === "webhook" ? id : undefined,
        });
      }}
    />
  );
}

export function TimeFilter(props: { filter: LogFilter; onTime: (change: TimeRange) => void }) {
  const { filter, onTime } = props;
  const [span, setSpan] = useState(
    filter.from === undefined && filter.to === undefined ? "" : "range",
  );
  const { from, to } = filter;
  const [seen, setSeen] = useState({ from, to });
  /** The range that these fields set last. */
  const [told, setTold] = useState({ from, to });
  const [fields, setFields] = useState(0);
  if (from !== seen.from || to !== seen.to) {
    setSeen({ from, to });
    if (from !== told.from || to !== told.to) {
      // Chosen elsewhere, as in the chart: the fields begin again with it.
      setTold({ from, to });
      setSpan(from === undefined && to === undefined ? "" : "range");
      setFields(fields + 1);
    }
  }
  const tell = (change: TimeRange): void => {
    setTold({ from, to, ...change });
    onTime(change);
  };
  const choose = (next: string): void => {
    setSpan(next);
    if (next === "range") return;
    const since = next === "" ? undefined : Math.floor(serviceNow() / 1000) - Number(next);
    tell({ from: since, to: undefined });
  };
  return (
    <>
      <NativeSelect
        aria-label={words.deliveries.time}
        data={[
          { value: "", label: words.deliveries.anyTime },
          { value: "3600", label: words.deliveries.lastHour },
          { value: "86400", label: words.deliveries.lastDay },
          { value: "604800", label: words.deliveries.lastWeek },
          { value: "range", label: words.deliveries.range },
        ]}
        value={span}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {span === "range" ? (
        <div className={classes["range"]} key={fields}>
          <TimeRangeFields range={{ from, to }} onChange={tell} />
        </div>
      ) : null}
    </>
  );
}

export function SearchField(props: {
  value: string;
  onSearch: (search: string | undefined) => void;
}) {
  const [text, setText] = useFieldText(props.value);
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
        aria-label={words.deliveries.search}
        placeholder={words.deliveries.searchHint}
        error={isTooShort(text.trim()) ? words.deliveries.searchTooShort : null}
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

/** The typed text, until the filter is changed elsewhere, for example cleared. */
export function useFieldText(value: string) {
  const [seen, setSeen] = useState(value);
  const [text, setText] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setText(value);
  }
  return [text, setText] as const;
}

function isTooShort(text: string): boolean {
  return text !== "" && !isLongEnough(text);
}

/** "500", or "5xx" for all that begin so. */
export function StatusField(props: {
  filter: Pick<LogFilter, "status" | "statusClass">;
  onStatus: (change: { status: number | undefined; statusClass: number | undefined }) => void;
}) {
  const { status, statusClass } = props.filter;
  const choices = useId();
  const chosen = statusClass === undefined ? String(status ?? "") : `${statusClass}xx`;
  const [text, setText] = useFieldText(chosen);
  return (
    <>
      <TextInput
        w="6.5rem"
        aria-label={words.deliveries.httpStatus}
        placeholder={words.deliveries.status}
        list={choices}
        maxLength={3}
        value={text}
        // An incomplete text narrows nothing yet.
        error={text === chosen ? null : words.deliveries.statusForm}
        onBlur={() => setText(chosen)}
        onChange={(event) => {
          const next = event.currentTarget.value.toLowerCase().replace(/[^\dx]/g, "");
          setText(next);
          const [, digit] = /^([1-5])xx$/.exec(next) ?? [];
          if (next === "") props.onStatus({ status: undefined, statusClass: undefined });
          else if (digit !== undefined)
            props.onStatus({ status: undefined, statusClass: Number(digit) });
          else if (/^[1-5]\d\d$/.test(next))
            props.onStatus({ status: Number(next), statusClass: undefined });
        }}
      />
      <datalist id={choices}>
        {["2xx", "3xx", "4xx", "5xx"].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
