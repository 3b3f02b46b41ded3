/** For the pages of the documentation that are made from them. */
export { CATALOGUE, type Level } from "./doctor/catalogue.ts";
export { SETTINGS } from "./settings/config-schema.ts";
