export { CODE_POINT } from "./code-point.ts";
export { freePort } from "./free-port.ts";
export { hmacByDefinition } from "./hmac-by-definition.ts";
export { listenOnLoopback } from "./listen-on-loopback.ts";
export { NO_IPV6, ONE_LOOPBACK_ADDRESS } from "./loopback.ts";
