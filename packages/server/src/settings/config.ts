import { COMMAND_SETTINGS } from "@markethook/cli";
import { MarkethookError } from "@markethook/protocol";
import { type Config, SETTINGS, type SettingName } from "./config-schema.ts";
import { nearestName } from "./nearest-name.ts";

export interface ConfigFault {
  name: string;
  sentence: string;
}

/**
 * Reads all settings and reports all faults at once.
 * @throws `config_invalid` with a line per fault; values of secret settings are never part of it.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  needs: readonly SettingName[] = [],
): Config {
  const { config, faults } = inspectConfig(env, needs);
  if (faults.length > 0) {
    throw new MarkethookError("config_invalid", {
      detail: [
        "Settings are invalid:",
        ...faults.map(({ name, sentence }) => `  ${name}: ${sentence}`),
      ].join("\n"),
    });
  }
  return config;
}

/** Returns all settings, with the default for one that cannot be read, and a sentence per fault. */
export function inspectConfig(
  env: Readonly<Record<string, string | undefined>>,
  needs: readonly SettingName[] = [],
): { config: Config; faults: ConfigFault[] } {
  const faults: ConfigFault[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  // Object.keys loses the key type; the table's keys are exactly the names.
  for (const key of Object.keys(SETTINGS) as SettingName[]) {
    const { name, fallback, read } = SETTINGS[key];
    const given = env[name];
    const text = given === undefined || given === "" ? fallback : given;
    if (text === null) {
      values[key] = null;
      if (needs.includes(key)) faults.push({ name, sentence: "It must be set." });
      continue;
    }
    try {
      values[key] = read(text);
    } catch (error) {
      faults.push({ name, sentence: error instanceof Error ? error.message : String(error) });
      values[key] = fallback === null ? null : read(fallback);
    }
  }
  faults.push(...unknownNames(env));
  // Each key was read by its own setting.
  const config = Object.freeze(values) as Config;
  // One that could not be read has its default here, and a fault already.
  const isRead = (key: SettingName) => faults.every(({ name }) => name !== SETTINGS[key].name);
  const contradicting = contradictions(config).filter(({ of, and }) => isRead(of) && isRead(and));
  faults.push(...contradicting.map(({ of, sentence }) => ({ name: SETTINGS[of].name, sentence })));
  return { config, faults };
}

interface Contradiction {
  of: SettingName;
  and: SettingName;
  sentence: string;
}

/** Faults of combinations of settings. */
function contradictions(config: Config): Contradiction[] {
  const { databaseUrl, databaseDirectUrl, noticesUrl, noticesSecret } = config;
  const { receiverConnections, concurrency } = config;
  const found: Contradiction[] = [];
  if (databaseDirectUrl !== null && databaseUrl === null) {
    const sentence = `It is set, and ${SETTINGS.databaseUrl.name} is not: everything would go to SQLite.`;
    found.push({ of: "databaseDirectUrl", and: "databaseUrl", sentence });
  }
  if (noticesUrl !== null && noticesSecret === null) {
    const sentence = `It must be set, because ${SETTINGS.noticesUrl.name} is; make one with \`openssl rand -base64 36\`.`;
    found.push({ of: "noticesSecret", and: "noticesUrl", sentence });
  }
  if (noticesSecret !== null && noticesUrl === null) {
    const sentence = `It is set, and ${SETTINGS.noticesUrl.name} is not: no notice would be posted.`;
    found.push({ of: "noticesSecret", and: "noticesUrl", sentence });
  }
  if (receiverConnections !== null && receiverConnections < concurrency) {
    const sentence = `It must be at least ${SETTINGS.concurrency.name}, which is ${concurrency}.`;
    found.push({ of: "receiverConnections", and: "concurrency", sentence });
  }
  return found;
}

const PREFIX = "MARKETHOOK_";
const SERVICE_HOST = "_SERVICE_HOST";
const SERVICE_LINKS =
  "Kubernetes sets it, and others such as MARKETHOOK_PORT, for a Service of this name; set enableServiceLinks: false in the pod's spec.";

/** A misspelt setting would have no effect, without a message. */
function unknownNames(env: Readonly<Record<string, string | undefined>>): ConfigFault[] {
  const known = new Set<string>(
    [...Object.values(SETTINGS), ...Object.values(COMMAND_SETTINGS)].map(({ name }) => name),
  );
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && !name.startsWith("MARKETHOOK_TEST_") && !known.has(name),
  );
  // Kubernetes sets seven names or more for each Service. One of them stands for all.
  const services = unknown
    .filter((name) => name.endsWith(SERVICE_HOST))
    .map((name) => name.slice(0, -SERVICE_HOST.length));
  const starts = services.flatMap((service) => [`${service}_SERVICE_PORT`, `${service}_PORT`]);
  return unknown
    .filter((name) => !starts.some((start) => name.startsWith(start)))
    .map((name) => ({
      name,
      sentence: name.endsWith(SERVICE_HOST)
        ? SERVICE_LINKS
        : `There is no such setting; ${adviceFor(name, known)}`,
    }));
}

function adviceFor(name: string, known: ReadonlySet<string>): string {
  // The common prefix would make all of them similar.
  const names = [...known].map((each) => each.slice(PREFIX.length));
  const meant = nearestName(name.slice(PREFIX.length), names);
  return meant === null
    ? "`markethook serve --help` lists all of them."
    : `did you mean ${PREFIX}${meant}?`;
}
