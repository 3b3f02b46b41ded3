import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "../shared/code-block.tsx";
import { readableJson } from "./exchange-text.ts";
import { words } from "../words/words.ts";

/** A body: readable if it is JSON, and always exact. */
export function BodyView({ label, body }: { label: string; body: string }) {
  const readable = readableJson(body);
  const [form, setForm] = useState("readable");
  return (
    <CodeBlock
      title={words.exchange.body}
      label={label}
      text={readable === null || form === "exact" ? body : readable}
      tools={
        readable === null ? null : (
          <SegmentedControl
            size="xs"
            aria-label={words.exchange.formOf(label)}
            value={form}
            onChange={setForm}
            data={[
              { value: "readable", label: words.exchange.readable },
              { value: "exact", label: words.exchange.exact },
            ]}
          />
        )
      }
    />
  );
}
