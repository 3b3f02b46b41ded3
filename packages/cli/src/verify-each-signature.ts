import { headerNames, STANDARD_HEADERS, standardKey } from "@markethook/protocol";
import type { Verified, VerifyFailure } from "@markethook/receiver";
import { type NodeVerifyOptions, verify } from "@markethook/receiver/node";

/** `wrong`: headers whose signature does not fit, where that of another header does. */
export type EachVerdict = Verified | (VerifyFailure & { wrong?: readonly string[] });

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Verifies each signature by itself, and then as the receiver library does. Here a request of one style alone is
 * valid too: somebody may have copied only this header, and not every secret can make both.
 */
export function verifyEachSignature(
  body: Uint8Array,
  headers: Headers,
  secrets: readonly string[],
  options: Omit<NodeVerifyOptions, "require"> & { serviceName: string },
): EachVerdict {
  const names = headerNames(options.serviceName);
  const plain = present(headers, [names.signature, names.signatureNext]);
  const all = [...plain, ...present(headers, [STANDARD_HEADERS.signature])];
  const hasStandard = all.length > plain.length;
  const checked = all.map((header) => ({
    header,
    verdict: verify(body, without(headers, all, header), secrets, {
      ...options,
      require: plain.includes(header) ? "service" : "standard",
      // Judged below: a signature that is old is not wrong.
      toleranceSeconds: Infinity,
    }),
  }));
  const fitting = checked.filter(({ verdict }) => verdict.ok).map(({ header }) => header);
  const wrong = checked.flatMap(({ header, verdict }) =>
    verdict.ok || isOfOtherSecret(header, verdict) ? [] : [{ header, ...verdict }],
  );
  const [first] = wrong;
  if (fitting.length === 0 || first === undefined) {
    const isPlainAlone = plain.length > 0 && fitting.every((header) => plain.includes(header));
    const required = isPlainAlone && (fitting.length > 0 || !hasStandard) ? "service" : "standard";
    return verify(body, headers, secrets, { ...options, require: required });
  }
  return {
    ok: false,
    code: first.code,
    sentence: `${wrong.map(sentenceOf).join(" ")} ${fitting.join(" and ")} fits.`,
    // The secret is right, since another signature fits it.
    causes: wrong
      .flatMap(({ causes }) => causes)
      .filter(({ code }) => code !== "other_secret" && code !== "search_incomplete"),
    wrong: wrong.map(({ header }) => header),
  };

  /** During a rotation both secrets sign, and perhaps only one of them was given. */
  function isOfOtherSecret(header: string, { code }: VerifyFailure): boolean {
    return (
      code === "signature_mismatch" &&
      secrets.length < plain.length &&
      plain.some((other) => fitting.includes(other)) &&
      // An imported secret may have no part in webhook-signature.
      (plain.includes(header) || secrets.every((secret) => standardKey(secret) === null))
    );
  }
}

function present(headers: Headers, names: readonly string[]): string[] {
  return names.filter((name) => headers.some(([one]) => isSame(one, name)));
}

function without(headers: Headers, signatures: readonly string[], kept: string): Headers {
  return headers.filter(
    ([name]) => isSame(name, kept) || !signatures.some((signature) => isSame(name, signature)),
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function sentenceOf({ header, code, sentence }: VerifyFailure & { header: string }): string {
  return code === "signature_mismatch"
    ? `${header} does not fit the body and the secret: a receiver that looks at this header refuses the request.`
    : sentence;
}
