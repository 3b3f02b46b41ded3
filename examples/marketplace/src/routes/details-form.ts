import { cleanLine, tooLong } from "../form-text.ts";
import { LIMITS } from "../form-limits.ts";
import { member } from "./with-resource.ts";

export function readDetails(body: unknown): {
  values: { title: string; subtitle: string };
  fault: string | null;
} {
  const values = {
    title: cleanLine(member(body, "title")),
    subtitle: cleanLine(member(body, "subtitle")),
  };
  const fault = values.title === "" ? "Give the resource a title." : tooLong(values, LIMITS);
  return { values, fault };
}
