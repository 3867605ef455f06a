import { existsSync, readFileSync } from 'node:fs';
import type { Recording } from '../../../core/testing/index.ts';

const folder = new URL('../../../../shared/corpus/', import.meta.url);

/** Recorded traffic is next to the repository, never in it. */
export const hasCorpus = existsSync(folder);

interface Line {
  readonly id: string;
  readonly source: unknown;
  readonly model: string | null;
  readonly request?: { readonly headers?: Record<string, string>; readonly body: object | null };
  readonly response: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    readonly sse?: string;
    readonly ndjson?: string;
    readonly text?: string;
  };
}

/** Some recorders kept no headers; the version is one that every client of that wire sends. */
const readHeaders = (headers: Record<string, string> = {}): Record<string, string> => ({
  'anthropic-version': '2023-06-01',
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});

const readLine = (text: string, wire: string): Recording => {
  const { id, source, model, request, response } = JSON.parse(text) as Line;
  const streamed = response.sse ?? response.ndjson ?? response.text;
  return {
    name: id,
    origin: JSON.stringify(source),
    wire,
    ...(request?.body === undefined || request.body === null
      ? {}
      : {
          request: {
            headers: readHeaders(request.headers),
            body: { ...request.body, model: ('model' in request.body ? request.body.model : model) ?? 'model' },
          },
        }),
    response: {
      status: response.status,
      headers: readHeaders(response.headers),
      ...(streamed === undefined ? { body: response.body } : { text: streamed }),
    },
    expected: 'unread',
  };
};

/** The lines of one corpus file that pass the filter, as recordings of a wire; none when there is no corpus. */
export const readCorpus = (file: string, wire: string, keeps: (line: string) => boolean = () => true): Recording[] =>
  hasCorpus
    ? readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && keeps(line))
        .map((line) => readLine(line, wire))
    : [];
