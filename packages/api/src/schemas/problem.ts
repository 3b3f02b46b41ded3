import { ERRORS } from "@markethook/protocol";
import { Type } from "typebox";
import { model } from "./fields.ts";

const codes = Object.entries(ERRORS)
  .filter(([, entry]) => entry.status !== undefined)
  .map(([code]) => code);

export const ProblemSchema = model("Problem", {
  type: Type.String({ description: "Where the code is explained" }),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String({ enum: codes, description: "Stable; match on this" }),
  detail: Type.String({ description: "What was wrong here, and what to do" }),
  pointer: Type.Optional(
    Type.String({ description: "JSON Pointer into the body, or the name of a parameter" }),
  ),
  requestId: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object({ code: Type.String(), pointer: Type.String(), detail: Type.String() }),
      { description: "All faulty fields, where there are several" },
    ),
  ),
});
