import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../../core/api/index.ts';

export interface Recording {
  readonly id: string;
  readonly model: string;
  readonly request: { readonly headers: Readonly<Record<string, string>> | null; readonly body: JsonObject | null };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonObject;
    readonly sse: string;
  };
}

/** Recorded traffic that lies beside the repository; `undefined` where it does not. */
export const readRecordings = (name: string): readonly Recording[] | undefined => {
  const file = fileURLToPath(new URL(`../../../../../shared/corpus/${name}.jsonl`, import.meta.url));
  if (!existsSync(file)) return undefined;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recording);
};
