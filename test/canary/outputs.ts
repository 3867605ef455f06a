import { request as requestHttp } from 'node:http';
import { createSearcher, type Mark } from './marks.ts';

/** An output of the run, and the names of the secrets that are allowed in it. */
interface Output {
  readonly title: string;
  readonly text: string | Buffer;
  readonly belongs: readonly string[];
}

export interface Outputs {
  /** @param belongs names of secrets, or prefixes of names that end with `*` */
  add(title: string, text: string | Buffer, ...belongs: readonly string[]): void;
  /** The number of outputs. */
  readonly count: number;
  /** `title: name` for each secret in an output where it is not allowed. */
  leaks(marks: readonly Mark[]): readonly string[];
}

const isAllowed = (name: string, belongs: readonly string[]): boolean =>
  belongs.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));

export const createOutputs = (): Outputs => {
  const outputs: Output[] = [];
  const seen = new Set<string>();
  return {
    add: (title, text, ...belongs) => {
      const key = `${title}\n${String(text)}`;
      if (!seen.has(key)) outputs.push({ title, text, belongs });
      seen.add(key);
    },
    get count() {
      return outputs.length;
    },
    leaks: (marks) => {
      const search = createSearcher(marks);
      return outputs.flatMap(({ title, text, belongs }) =>
        search(text)
          .filter((name) => !isAllowed(name, belongs))
          .map((name) => `${title}: ${name}`),
      );
    },
  };
};

export interface Exchange {
  readonly status: number;
  readonly head: string;
  /** The bytes that were received: some responses break off. */
  readonly body: string;
}

/** Sends one request and ignores how its response ends. */
export const exchange = (
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Exchange> =>
  new Promise((resolve) => {
    const request = requestHttp(new URL(path, url), { method, headers, agent: false }, (response) => {
      let text = '';
      const head = `${response.statusCode} ${response.statusMessage}\n${response.rawHeaders.join('\n')}`;
      const end = (): void => resolve({ status: response.statusCode ?? 0, head, body: text });
      response
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .once('close', end)
        .once('error', end);
    });
    request.once('error', (error) => resolve({ status: 0, head: error.message, body: '' })).end(body);
  });
