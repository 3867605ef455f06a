import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The recordings stand beside the project, never in it. */
export const corpusFolder = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));
export const hasCorpus = (): boolean => existsSync(corpusFolder);

type Json = Record<string, unknown>;

export interface CorpusLine {
  readonly id: string;
  readonly provider: string;
  readonly stream: boolean;
  readonly request: { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: Json };
  readonly response: { readonly status: number; readonly body?: Json; readonly sse?: string };
}

/** A line as it stands in the file: a response without a recorded request has no body there. */
type RecordedLine = CorpusLine & { readonly request: { readonly body: Json | null } };

/** The lines of a file by one provider whose request was recorded and names a model. */
export const readLines = (file: string, provider: string): readonly CorpusLine[] =>
  readFileSync(join(corpusFolder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedLine)
    .filter((line) => line.provider === provider && typeof line.request.body?.['model'] === 'string');

export const modelOf = (line: CorpusLine): string => String(line.request.body['model']);

/** The recorded body as the vendor would send it. */
export const responseText = ({ response }: CorpusLine): string => response.sse ?? JSON.stringify(response.body);
