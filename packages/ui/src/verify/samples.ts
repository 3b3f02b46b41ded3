import type { SampleFor } from "./sample-for.ts";
import { go } from "./samples/go.ts";
import { java } from "./samples/java.ts";
import { node } from "./samples/node.ts";
import { openssl } from "./samples/openssl.ts";
import { php } from "./samples/php.ts";
import { python } from "./samples/python.ts";

export interface Sample {
  id: string;
  name: string;
  /** What it would be called; null: it is run by hand. */
  file: string | null;
  write: (target: SampleFor) => string;
}

export const SAMPLES: readonly Sample[] = [
  { id: "node", name: "Node", file: "webhooks.mjs", write: node },
  { id: "python", name: "Python", file: "webhooks.py", write: python },
  { id: "php", name: "PHP", file: "webhooks.php", write: php },
  { id: "java", name: "Java", file: "Receiver.java", write: java },
  { id: "go", name: "Go", file: "webhooks.go", write: go },
  { id: "openssl", name: "curl, openssl", file: null, write: openssl },
];
