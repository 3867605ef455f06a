import { existsSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import type { RecordedResponse, Recording } from '../../../core/testing/index.ts';

const folder = new URL('../../../../shared/corpus-next/', import.meta.url);

/** Recorded traffic of operations besides generation is next to the repository, never in it. */
export const hasNextCorpus = existsSync(folder);

/** One line: an exchange with a vendor. */
export interface NextLine {
  readonly id: string;
  readonly vendor: string;
  readonly stream: boolean;
  readonly source: unknown;
  /** Absent where the source has the response only. */
  readonly request: { readonly path: string; readonly headers: Record<string, string>; readonly body: unknown } | null;
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown };
}

/** The lines of one corpus file; none when there is no corpus. */
export const readNextLines = (file: string): readonly NextLine[] =>
  hasNextCorpus
    ? readFileSync(new URL(file, folder), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as NextLine)
    : [];

const hasBody = (body: unknown): body is JsonObject => isObject(body) && !('multipart' in body);

const describeBody = (body: unknown): Pick<RecordedResponse, 'body' | 'text' | 'file'> =>
  typeof body === 'string'
    ? { text: body }
    : isObject(body) && typeof body['bytesBase64'] === 'string'
      ? { file: body['bytesBase64'] }
      : { body };

/** A line as a recording of a wire. @param model of a request that does not name one */
export const asRecording = ({ id, source, request, response }: NextLine, wire: string, model = 'model'): Recording => ({
  name: id,
  origin: JSON.stringify(source),
  wire,
  ...(request !== null && hasBody(request.body)
    ? { request: { headers: request.headers, body: { model, ...request.body } } }
    : {}),
  response: {
    status: response.status,
    headers: response.headers,
    ...describeBody(response.body),
  },
  expected: 'unread',
});
