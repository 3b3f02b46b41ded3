import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "../shared/code-block.tsx";
import { readableJson } from "./wire-text.ts";

/** A body: readable if it is JSON, and always exact. */
export function BodyView({ label, body }: { label: string; body: string }) {
  const readable = readableJson(body);
  const [form, setForm] = useState("readable");
  return (
    <CodeBlock
      title="Body"
      label={label}
      text={readable === null || form === "exact" ? body : readable}
      wrap
      tools={
        readable === null ? null : (
          <SegmentedControl
            size="xs"
            aria-label={`Form of the ${label}`}
            value={form}
            onChange={setForm}
            data={[
              { value: "readable", label: "Readable" },
              { value: "exact", label: "Exact" },
            ]}
          />
        )
      }
    />
  );
}
