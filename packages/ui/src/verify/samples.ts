import type { SampleFor } from "./sample-for.ts";
import { go } from "./samples/go.ts";
import { node } from "./samples/node.ts";
import { openssl } from "./samples/openssl.ts";
import { php } from "./samples/php.ts";
import { python } from "./samples/python.ts";

export interface Sample {
  id: string;
  name: string;
  /** What it would be called. */
  file: string;
  write: (target: SampleFor) => string;
}

export const SAMPLES: readonly Sample[] = [
  { id: "node", name: "Node", file: "receiver.mjs", write: node },
  { id: "python", name: "Python", file: "receiver.py", write: python },
  { id: "php", name: "PHP", file: "receiver.php", write: php },
  { id: "go", name: "Go", file: "receiver.go", write: go },
  { id: "openssl", name: "curl, openssl", file: "by hand", write: openssl },
];
