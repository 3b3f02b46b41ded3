export { CODE_POINT } from "./code-point.ts";
export { hmacByDefinition } from "./hmac-by-definition.ts";
