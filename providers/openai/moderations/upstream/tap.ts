import { createResponseTap, omitUndefined, readText, type Tap } from '../../../../core/api/codec.ts';
import { writeError } from '../../chat-completions/client/response/error.ts';
import { readUsage } from '../../embeddings/usage.ts';
import { readResults } from './response.ts';

const readFigures = (body: unknown) => {
  const { response } = readResults(body);
  return omitUndefined({ usage: readUsage(response['usage']), model: readText(response['model']) || undefined });
};

export const createTap = (): Tap => createResponseTap(readFigures, writeError);
