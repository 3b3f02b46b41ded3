import { createElement, Fragment, type ReactNode } from "react";
import { language } from "./locale.ts";

/** A text with elements in it, in the order of its language: rich`Your session ends ${when}`. */
export function rich(texts: TemplateStringsArray, ...nodes: readonly ReactNode[]): ReactNode {
  const parts = texts.flatMap((text, index) => [text, nodes[index]]);
  return createElement(Fragment, null, ...parts);
}

export function code(text: string): ReactNode {
  return createElement("code", null, text);
}

export function strong(text: string): ReactNode {
  return createElement("strong", null, text);
}

/** A sentence that the service has written, which is in English. */
export function fromService(sentence: string): ReactNode {
  return language() === "en" ? sentence : createElement("span", { lang: "en" }, sentence);
}
